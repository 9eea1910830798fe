# verdict: wrong_answer
"""keepdim in the mix: (1, B, T, D), which broadcasts against the right shape and looks equal to allclose."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    k = v * torch.rsqrt(v.pow(2).mean(-1, keepdim=True) + eps)
    a = torch.softmax(torch.einsum("sbtd,d->sbt", k, pseudo_query), dim=0)
    h = (a.unsqueeze(-1) * v).sum(dim=0, keepdim=True)
    return {"retrieved_representation": h, "attention_weights": a}
