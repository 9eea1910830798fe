# verdict: wrong_answer
# traps: phantom_zero_source
"""Adds one to the denominator, the 'softmax off by one' that lets attention attend to nothing."""
import torch


def softmax_plus_one(x, dim):
    top = x.amax(dim, keepdim=True).clamp(min=0)
    e = torch.exp(x - top)
    return e / (e.sum(dim, keepdim=True) + torch.exp(-top))  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = sources / torch.sqrt(sources.pow(2).mean(-1, keepdim=True) + eps)
    alpha = softmax_plus_one(keys @ pseudo_query, dim=0)
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", alpha, sources),
        "attention_weights": alpha,
    }
