# verdict: wrong_answer
"""The cube root of the mean absolute cube: a power mean, but not the second."""
import torch


def power_mean(x, p, eps):
    return (x.abs().pow(p).mean(-1, keepdim=True) + eps).pow(1 / p)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    v = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(torch.promote_types(dtype, torch.float32))
    k = v / power_mean(v, 3, eps)  # <- mistake
    a = torch.softmax(k @ pseudo_query.to(v.dtype), dim=0)
    h = (a.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h.to(dtype), "attention_weights": a.to(dtype)}
