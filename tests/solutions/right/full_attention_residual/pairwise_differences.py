# verdict: accepted
"""Weights from pairwise logit differences: alpha_i = 1 / sum_j exp(l_j - l_i)."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = values / torch.sqrt(values.square().mean(-1, keepdim=True) + eps)
    logits = keys @ pseudo_query
    gaps = logits.unsqueeze(0) - logits.unsqueeze(1)  # [i, j] = l_j - l_i
    weights = torch.exp(-torch.logsumexp(gaps, dim=1))
    retrieved = torch.tensordot(weights.unsqueeze(-1).mul(values).movedim(0, -1),
                                values.new_ones(len(values)), dims=1)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
