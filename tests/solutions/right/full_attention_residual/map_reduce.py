# verdict: accepted
import operator
from functools import partial, reduce

import torch


def _key(x, *, eps):
    return torch.mul(x, torch.rsqrt(torch.add(torch.mean(torch.square(x), -1, True), eps)))


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = (embedding,) + tuple(previous_outputs)
    keys = map(partial(_key, eps=eps), sources)
    logits = map(lambda k: torch.sum(k * pseudo_query, -1), keys)
    weights = torch.softmax(torch.stack(tuple(logits)), 0)
    terms = map(operator.mul, weights[..., None], sources)
    return {
        "retrieved_representation": reduce(operator.add, terms),
        "attention_weights": weights,
    }
