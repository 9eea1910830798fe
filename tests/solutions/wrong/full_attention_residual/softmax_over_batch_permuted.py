# verdict: wrong_answer
# traps: softmax_over_batch
"""Transposes to (B, S, T) for the softmax but keeps axis 0."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.stack([embedding, *previous_outputs], dim=1)  # (B, S, T, D)
    keys = sources / (sources.square().mean(-1, keepdim=True) + eps).sqrt()
    logits = keys @ pseudo_query
    weights = torch.softmax(logits, dim=0)  # <- mistake
    out = (weights[..., None] * sources).sum(1)
    return {"retrieved_representation": out, "attention_weights": weights.transpose(0, 1)}
