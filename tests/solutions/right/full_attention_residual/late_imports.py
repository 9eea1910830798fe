# verdict: accepted
"""Imports inside the function, and a standard library module that nothing else needs."""


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    import itertools
    import statistics

    import numpy as np
    import torch
    from torch.nn.functional import softmax

    assert np.prod(embedding.shape) > 0 and statistics.mean(embedding.shape) > 0

    logits, values = [], []
    for v in itertools.chain([embedding], previous_outputs):
        values.append(v)
        inverse = 1 / torch.sqrt(v.pow(2).mean(-1, keepdim=True) + eps)
        logits.append(torch.einsum("btd,d->bt", v * inverse, pseudo_query))
    p = softmax(torch.stack(logits), 0)
    h = torch.einsum("sbt,sbtd->btd", p, torch.stack(values))
    return {"retrieved_representation": h, "attention_weights": p}
