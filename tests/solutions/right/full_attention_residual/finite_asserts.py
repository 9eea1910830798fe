# verdict: accepted
"""Checks its own input and result with assert, .item() and .tolist(): reads values, changes nothing."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    assert embedding.dim() == 3, embedding.shape
    assert previous_outputs.shape[1:] == embedding.shape
    assert pseudo_query.shape == embedding.shape[-1:]
    for x in (embedding, previous_outputs, pseudo_query):
        assert torch.isfinite(x).all(), "input has NaN or inf"

    stacked = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = stacked * torch.rsqrt(stacked.pow(2).mean(dim=-1, keepdim=True) + eps)
    weights = (keys @ pseudo_query).softmax(dim=0)

    assert weights.min().item() >= 0.0
    assert all(abs(total - 1) < 0.1 for total in weights.sum(0).flatten().tolist())
    return {
        "retrieved_representation": (weights.unsqueeze(-1) * stacked).sum(0),
        "attention_weights": weights,
    }
