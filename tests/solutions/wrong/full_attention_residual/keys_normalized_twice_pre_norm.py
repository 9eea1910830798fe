# verdict: wrong_answer
# traps: keys_normalized_twice
"""The scorer normalises what it is given, and the caller has done so already."""
import torch


def rms_norm(x, eps):
    return x * (x.square().mean(-1, keepdim=True) + eps).rsqrt()


def score(keys, query, eps):
    return rms_norm(keys, eps) @ query  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = rms_norm(values, eps)
    weights = torch.softmax(score(keys, pseudo_query, eps), dim=0)
    return {
        "retrieved_representation": (weights.unsqueeze(-1) * values).sum(0),
        "attention_weights": weights,
    }
