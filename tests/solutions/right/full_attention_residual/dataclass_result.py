# verdict: accepted
"""Intermediate results in frozen dataclasses, turned into a plain dict at the end."""

from dataclasses import dataclass, fields

import torch


@dataclass(frozen=True, slots=True)
class Sources:
    values: torch.Tensor
    keys: torch.Tensor

    @classmethod
    def collect(cls, embedding, previous_outputs, eps):
        values = torch.vstack([embedding.unsqueeze(0), previous_outputs])
        scale = values.square().mean(-1, keepdim=True).add(eps).rsqrt()
        return cls(values, values * scale)


@dataclass(frozen=True)
class Read:
    retrieved_representation: torch.Tensor
    attention_weights: torch.Tensor

    def as_dict(self):
        # not dataclasses.asdict: that deep-copies, and a deep copy loses the graph
        return {f.name: getattr(self, f.name) for f in fields(self)}


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = Sources.collect(embedding, previous_outputs, eps)
    weights = (sources.keys @ pseudo_query).softmax(0)
    retrieved = (sources.values * weights.unsqueeze(-1)).sum(0)
    return Read(retrieved, weights).as_dict()
