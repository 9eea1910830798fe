# verdict: wrong_answer
"""Confuses depth with time: averages the weights of a token with those of all earlier tokens."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = sources * torch.rsqrt(sources.square().mean(-1, keepdim=True) + eps)
    alpha = torch.softmax(keys @ pseudo_query, dim=0)
    seen = torch.arange(1, alpha.shape[-1] + 1, device=alpha.device, dtype=alpha.dtype)
    alpha = alpha.cumsum(-1) / seen  # <- mistake
    return {
        "retrieved_representation": (alpha.unsqueeze(-1) * sources).sum(0),
        "attention_weights": alpha,
    }
