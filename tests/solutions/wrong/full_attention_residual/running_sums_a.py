# verdict: wrong_answer
# traps: running_sums
import itertools
import operator

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    f32 = lambda x: x if x.dtype == torch.float64 else x.float()
    xs = [f32(embedding), *f32(previous_outputs)]
    states = itertools.accumulate(xs, operator.add)  # <- mistake
    v = torch.stack(list(states))
    k = v / (v.norm(dim=-1, keepdim=True).pow(2) / v.size(-1) + eps).sqrt()
    a = k.matmul(f32(pseudo_query)).softmax(dim=0)
    h = torch.einsum("s...,s...d->...d", a, v)
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": a.to(embedding.dtype),
    }
