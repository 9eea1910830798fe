# verdict: accepted
"""Returns a TypedDict, which is a plain dict once it runs."""
from typing import TypedDict

from torch import Tensor, cat, rsqrt, softmax


class AttentionRead(TypedDict):
    retrieved_representation: Tensor
    attention_weights: Tensor


def full_attention_residual(embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor,
                            eps: float = 1e-6) -> AttentionRead:
    v = cat([embedding.unsqueeze(0), previous_outputs])
    k = v * rsqrt(v.square().mean(-1, keepdim=True) + eps)
    a = softmax(k @ pseudo_query, 0)
    return AttentionRead(retrieved_representation=(a.unsqueeze(-1) * v).sum(0), attention_weights=a)
