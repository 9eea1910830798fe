# verdict: accepted
"""Small named helpers, one for each step of the formula."""

import torch
from torch import Tensor


def gather_sources(embedding: Tensor, previous_outputs: Tensor) -> Tensor:
    return torch.concat([embedding.unsqueeze(dim=0), previous_outputs], dim=0)


def rms_normalize(x: Tensor, eps: float) -> Tensor:
    return x * (x.square().mean(dim=-1, keepdim=True) + eps).rsqrt()


def depth_weights(keys: Tensor, query: Tensor) -> Tensor:
    logits = torch.tensordot(keys, query, dims=1)
    return logits.softmax(dim=0)


def mix(weights: Tensor, values: Tensor) -> Tensor:
    return weights.unsqueeze(dim=-1).mul(values).sum(dim=0)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = gather_sources(embedding, previous_outputs)
    weights = depth_weights(rms_normalize(values, eps), pseudo_query)
    return {"retrieved_representation": mix(weights, values), "attention_weights": weights}
