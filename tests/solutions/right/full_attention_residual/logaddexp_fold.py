# verdict: accepted
from functools import reduce

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """Everything in log space; the normaliser is a fold with logaddexp."""
    sources = [embedding] + list(previous_outputs)

    def log_score(v):
        return torch.linalg.vecdot(v, pseudo_query) * torch.rsqrt(v.square().mean(-1) + eps)

    scores = [log_score(v) for v in sources]
    log_z = reduce(torch.logaddexp, scores)
    weights = [torch.exp(s - log_z) for s in scores]
    h = reduce(torch.add, (a.unsqueeze(-1) * v for a, v in zip(weights, sources)))
    return {"retrieved_representation": h, "attention_weights": torch.stack(weights)}
