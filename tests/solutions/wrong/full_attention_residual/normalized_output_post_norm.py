# verdict: wrong_answer
# traps: normalized_output
"""Applies the norm of the next sublayer to the result already."""
import torch
from torch import nn


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    norm = nn.RMSNorm(embedding.shape[-1], eps=eps, elementwise_affine=False)
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    attention = (norm(sources) @ pseudo_query).softmax(dim=0)
    hidden = (attention.unsqueeze(-1) * sources).sum(dim=0)
    return {"retrieved_representation": norm(hidden), "attention_weights": attention}  # <- mistake
