# verdict: wrong_answer
"""Divides the mix by the root of the sum of squared weights, to keep the variance."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)
    a = (k * pseudo_query).sum(-1).softmax(0)
    h = (a.unsqueeze(-1) * v).sum(0)
    h = h / a.square().sum(0).sqrt().unsqueeze(-1)  # <- mistake
    return {"retrieved_representation": h, "attention_weights": a}
