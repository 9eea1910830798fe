# verdict: wrong_answer
"""Normalises the product of source and query instead of the source."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    weighted = sources * pseudo_query
    normed = weighted * torch.rsqrt(weighted.square().mean(-1, keepdim=True) + eps)  # <- mistake
    alpha = normed.sum(-1).softmax(0)
    return {
        "retrieved_representation": (alpha.unsqueeze(-1) * sources).sum(0),
        "attention_weights": alpha,
    }
