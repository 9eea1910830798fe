# verdict: wrong_answer
"""Clips the logits to +-5, so as never to overflow."""
import torch


def safe_softmax(x, dim):
    x = x.clamp(-5.0, 5.0)  # <- mistake
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = sources / torch.sqrt(sources.square().mean(-1, keepdim=True) + eps)
    a = safe_softmax(keys @ pseudo_query, dim=0)
    return {"retrieved_representation": (a.unsqueeze(-1) * sources).sum(0), "attention_weights": a}
