# verdict: accepted
from itertools import chain

import torch


def _sources(embedding, layers):
    yield from chain((embedding,), layers)


def _logits(sources, query, eps):
    for v in sources:
        yield torch.inner(v, query).div((v.mul(v).mean(-1) + eps).sqrt())


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    weights = torch.stack(tuple(_logits(_sources(embedding, previous_outputs), pseudo_query, eps)))
    weights = weights.softmax(dim=0)
    h = sum(
        a.unsqueeze(-1) * v for a, v in zip(weights, _sources(embedding, previous_outputs))
    )
    return {"retrieved_representation": h, "attention_weights": weights}
