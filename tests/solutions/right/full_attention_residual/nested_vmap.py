# verdict: accepted
import torch
from torch.func import vmap


def _one_token(sources, query, eps):
    """(S, D), (D,) -> (D,), (S,)"""
    rms = torch.sqrt(torch.mean(sources**2, dim=1) + eps)
    weights = torch.softmax((sources @ query) / rms, dim=0)
    return weights @ sources, weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])

    def token(s):
        return _one_token(s, pseudo_query, eps)

    over_sequence = vmap(token, in_dims=1, out_dims=(0, 1))
    over_batch = vmap(over_sequence, in_dims=1, out_dims=(0, 1))
    h, weights = over_batch(sources)
    return {"retrieved_representation": h, "attention_weights": weights}
