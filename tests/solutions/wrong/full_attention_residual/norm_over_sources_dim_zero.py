# verdict: wrong_answer
# traps: norm_over_sources
"""Normalises over axis 0, as the softmax two lines below does."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    depth = 0
    sources = torch.cat([embedding.unsqueeze(depth), previous_outputs], dim=depth)
    rms = torch.sqrt(sources.square().mean(dim=depth, keepdim=True) + eps)  # <- mistake
    weights = torch.softmax((sources / rms) @ pseudo_query, dim=depth)
    mixed = torch.sum(sources * weights.unsqueeze(-1), dim=depth)
    return {"retrieved_representation": mixed, "attention_weights": weights}
