# verdict: wrong_answer
# traps: embedding_twice
from __future__ import annotations

import torch
from torch import Tensor


def full_attention_residual(
    embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor, eps: float = 1e-6
) -> dict[str, Tensor]:
    # One pass over the sources with a running maximum m, a running mass z and a running mix o.
    dtype = embedding.dtype
    hi = dtype if dtype.itemsize >= 4 else torch.float32
    w = pseudo_query.to(hi)

    def logit(v: Tensor) -> Tensor:
        return (v @ w) * torch.rsqrt(v.pow(2).mean(-1) + eps)

    first = embedding.to(hi)
    m = logit(first)
    z = torch.ones_like(m)
    o = first
    seen = [m]
    stream = torch.cat([embedding[None], previous_outputs])  # <- mistake
    for v in stream.to(hi):
        l = logit(v)
        new_m = torch.maximum(m, l)
        keep, add = torch.exp(m - new_m), torch.exp(l - new_m)
        o = o * keep[..., None] + v * add[..., None]
        z = z * keep + add
        m = new_m
        seen.append(l)
    weights = torch.exp(torch.stack(seen[-len(previous_outputs) - 1 :]) - m) / z
    return {
        "retrieved_representation": (o / z[..., None]).to(dtype),
        "attention_weights": weights.to(dtype),
    }
