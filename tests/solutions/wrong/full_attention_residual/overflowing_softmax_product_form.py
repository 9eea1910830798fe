# verdict: wrong_answer
# traps: overflowing_softmax
"""Accumulates numerator and denominator in one pass, with bare exponentials."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    acc = dtype if dtype == torch.float64 else torch.float32
    w = pseudo_query.to(acc)
    num = torch.zeros_like(embedding, dtype=acc)
    den = torch.zeros_like(embedding[..., 0], dtype=acc)
    exps = []
    for v in [embedding, *previous_outputs]:
        v = v.to(acc)
        l = (v @ w) * torch.rsqrt(v.square().mean(-1) + eps)
        x = l.exp()  # <- mistake
        exps.append(x)
        num = num + x.unsqueeze(-1) * v
        den = den + x
    return {
        "retrieved_representation": (num / den.unsqueeze(-1)).to(dtype),
        "attention_weights": (torch.stack(exps) / den).to(dtype),
    }
