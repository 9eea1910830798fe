# verdict: wrong_answer
# traps: running_sums
"""Rebuilds the residual stream from the layer outputs and attends over its states."""
import itertools
import operator

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    stream = list(itertools.accumulate([embedding, *previous_outputs], operator.add))  # <- mistake
    score = lambda h: (h * (h.square().mean(-1, keepdim=True) + eps).rsqrt()) @ pseudo_query
    alpha = torch.stack([score(h) for h in stream]).softmax(0)
    mixed = sum(a.unsqueeze(-1) * h for a, h in zip(alpha, stream))
    return {"retrieved_representation": mixed, "attention_weights": alpha}
