# verdict: not_loadable
"""Imports a helper file that was not handed in."""
import torch

from my_attention_utils import rms_normalize


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    a = torch.softmax(rms_normalize(v, eps) @ pseudo_query, dim=0)
    return {"retrieved_representation": (a.unsqueeze(-1) * v).sum(0), "attention_weights": a}
