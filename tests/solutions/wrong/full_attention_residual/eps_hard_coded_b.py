# verdict: wrong_answer
# traps: eps_hard_coded
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Source:
    value: Tensor
    query: Tensor
    eps: float = 1e-5

    @property
    def key(self) -> Tensor:
        mean_square = self.value.square().mean(dim=-1, keepdim=True)
        return self.value / torch.sqrt(mean_square + self.eps)

    @property
    def logit(self) -> Tensor:
        return (self.key * self.query).sum(dim=-1)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    work = embedding.dtype if embedding.dtype == torch.float64 else torch.float32
    query = pseudo_query.to(work)
    sources = [Source(x.to(work), query) for x in (embedding, *previous_outputs)]  # <- mistake
    weights = torch.softmax(torch.stack([s.logit for s in sources]), dim=0)
    retrieved = sum(a[..., None] * s.value for a, s in zip(weights, sources))
    return {
        "retrieved_representation": retrieved.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
