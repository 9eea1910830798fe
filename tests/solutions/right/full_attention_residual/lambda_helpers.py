# verdict: accepted
"""Lambdas for every step, folded with functools.reduce."""
from functools import reduce

import torch

key = lambda v, eps: v / torch.sqrt(torch.mean(v * v, dim=-1, keepdim=True) + eps)
logit = lambda w, k: torch.matmul(k, w)
compose = lambda *fs: lambda x: reduce(lambda y, f: f(y), fs, x)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = reduce(lambda acc, f: acc + [f], previous_outputs, [embedding])
    weights = compose(
        lambda vs: map(lambda v: key(v, eps), vs),
        lambda ks: [logit(pseudo_query, k) for k in ks],
        torch.stack,
        lambda s: torch.softmax(s, dim=0),
    )(sources)
    mixed = reduce(torch.add, map(lambda pair: pair[0].unsqueeze(-1) * pair[1], zip(weights, sources)))
    return {"retrieved_representation": mixed, "attention_weights": weights}
