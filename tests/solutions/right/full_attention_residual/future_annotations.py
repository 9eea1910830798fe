# verdict: accepted
"""Postponed annotations that name things which exist only for the type checker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import torch
import torch.nn.functional as F

if TYPE_CHECKING:
    from jaxtyping import Float
    from torch import Tensor

DEPTH: Final = 0


def full_attention_residual(
    embedding: Float[Tensor, "batch seq width"],
    previous_outputs: Float[Tensor, "layers batch seq width"],
    pseudo_query: Float[Tensor, "width"],
    eps: float = 1e-6,
) -> dict[str, Float[Tensor, "..."]]:
    values: Tensor = torch.cat((embedding.unsqueeze(DEPTH), previous_outputs), dim=DEPTH)
    keys: Tensor = F.rms_norm(values, pseudo_query.shape, eps=eps)
    alpha: Tensor = F.softmax(keys.matmul(pseudo_query), dim=DEPTH)
    mixed: Tensor = alpha.unsqueeze(-1).mul(values).sum(DEPTH)
    return {"retrieved_representation": mixed, "attention_weights": alpha}
