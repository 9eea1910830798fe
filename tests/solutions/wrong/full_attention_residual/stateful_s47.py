# verdict: wrong_answer
# traps: stateful
import torch

_key_cache = {}


def get_keys(values, eps):
    tag = (tuple(values.shape), values.dtype, values.device, eps)
    if tag not in _key_cache:  # <- mistake
        rms = torch.sqrt(values.pow(2).mean(-1, keepdim=True) + eps)
        _key_cache[tag] = values / rms
    return _key_cache[tag]


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = get_keys(values, eps)
    weights = torch.softmax(keys @ pseudo_query, dim=0)
    retrieved = (weights.unsqueeze(-1) * values).sum(0)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
