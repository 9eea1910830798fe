# verdict: wrong_answer
"""Casts the keys to bfloat16 'for speed' and back: three digits are left of them, in every dtype."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = sources * torch.rsqrt(sources.square().mean(-1, keepdim=True) + eps)
    keys = keys.to(torch.bfloat16).to(sources.dtype)  # <- mistake
    alpha = torch.softmax(keys @ pseudo_query, dim=0)
    return {
        "retrieved_representation": (alpha.unsqueeze(-1) * sources).sum(0),
        "attention_weights": alpha,
    }
