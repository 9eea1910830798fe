# verdict: accepted
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor


class Read(NamedTuple):
    retrieved_representation: Tensor
    attention_weights: Tensor


@dataclass(frozen=True)
class Source:
    value: Tensor
    eps: float

    @property
    def key(self) -> Tensor:
        return self.value / (self.value.pow(2).mean(-1, keepdim=True) + self.eps) ** 0.5

    def score(self, query: Tensor) -> Tensor:
        return torch.matmul(self.key, query)


@dataclass(frozen=True)
class Reader:
    query: Tensor

    def __call__(self, sources: list[Source]) -> Read:
        logits = torch.stack([s.score(self.query) for s in sources])
        alpha = torch.softmax(logits, 0)
        mixed = sum(a.unsqueeze(-1) * s.value for a, s in zip(alpha, sources))
        return Read(mixed, alpha)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = [Source(v, eps) for v in (embedding, *previous_outputs)]
    return Reader(pseudo_query)(sources)._asdict()
