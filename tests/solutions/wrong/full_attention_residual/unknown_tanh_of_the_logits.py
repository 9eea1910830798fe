# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """Additive-style attention over depth."""
    states = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = states / torch.sqrt(torch.mean(states**2, dim=-1, keepdim=True) + eps)
    energy = torch.tanh(torch.matmul(keys, pseudo_query))  # <- mistake
    attention = torch.softmax(energy, dim=0)
    context = torch.sum(attention.unsqueeze(-1) * states, dim=0)
    return {"retrieved_representation": context, "attention_weights": attention}
