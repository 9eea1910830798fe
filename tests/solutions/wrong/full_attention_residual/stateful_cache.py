# verdict: wrong_answer
# traps: stateful
"""Keeps the weights of the first call for each shape in a module-level dict."""
import torch

_cache = {}


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs])
    key = (values.shape, values.dtype, values.device)
    if key not in _cache:  # <- mistake
        keys = values / torch.sqrt(values.pow(2).mean(-1, keepdim=True) + eps)
        _cache[key] = torch.softmax(keys @ pseudo_query, dim=0)
    weights = _cache[key]
    return {
        "retrieved_representation": (weights.unsqueeze(-1) * values).sum(0),
        "attention_weights": weights,
    }
