# verdict: wrong_answer
# traps: std_keys
# tf -> torch
import torch


def reduce_sum(x, axis):
    return torch.sum(x, dim=axis)


def expand_dims(x, axis):
    return torch.unsqueeze(x, axis)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    states = torch.cat([expand_dims(embedding, 0), previous_outputs], dim=0)
    variance = torch.var(states, dim=-1, keepdim=True, unbiased=False)  # <- mistake
    keys = states * torch.rsqrt(variance + eps)
    logits = reduce_sum(keys * pseudo_query, axis=-1)
    attention = torch.softmax(logits, dim=0)
    context = reduce_sum(expand_dims(attention, -1) * states, axis=0)
    return {"retrieved_representation": context, "attention_weights": attention}
