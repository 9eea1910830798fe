# verdict: wrong_answer
# traps: layer_norm_keys, scaled_by_sqrt_width
import math

import torch


def normalise(x, axis, eps):
    mu = x.mean(axis, keepdim=True)
    var = ((x - mu) ** 2).mean(axis, keepdim=True)
    return (x - mu) / torch.sqrt(var + eps)


def attend(query, keys, values):
    logits = keys @ query
    logits = logits / math.sqrt(query.shape[0])  # <- mistake
    weights = torch.softmax(logits, dim=-1)
    return weights, (weights.unsqueeze(-2) @ values).squeeze(-2)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs]).permute(1, 2, 0, 3)
    keys = normalise(sources, -1, eps)  # <- mistake
    weights, mixed = attend(pseudo_query, keys, sources)
    return {
        "retrieved_representation": mixed,
        "attention_weights": weights.permute(2, 0, 1),
    }
