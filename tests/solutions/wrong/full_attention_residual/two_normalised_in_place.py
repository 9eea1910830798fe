# verdict: wrong_answer | runtime_error
# traps: normalized_values, mutated_inputs
"""Normalises the arguments in place, so that the caller's tensors change and the mix is of normalised sources."""
import torch


def normalise_(x, eps):
    return x.div_(torch.sqrt(x.square().mean(-1, keepdim=True) + eps))  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    keys = torch.cat([normalise_(embedding, eps).unsqueeze(0), normalise_(previous_outputs, eps)])
    weights = torch.softmax(keys @ pseudo_query, dim=0)
    values = torch.cat([embedding.unsqueeze(0), previous_outputs])  # <- mistake
    return {
        "retrieved_representation": (weights.unsqueeze(-1) * values).sum(0),
        "attention_weights": weights,
    }
