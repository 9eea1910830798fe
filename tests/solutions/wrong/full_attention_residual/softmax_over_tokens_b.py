# verdict: wrong_answer
# traps: softmax_over_tokens
from __future__ import annotations

import torch
from torch import Tensor


def _stable_softmax(scores: Tensor, axis: int = 1) -> Tensor:
    """Softmax of scores along one axis, by hand."""
    scores = scores - scores.max(dim=axis, keepdim=True).values
    unnormalised = scores.exp()
    return unnormalised / unnormalised.sum(dim=axis, keepdim=True)


def _tokens_first(embedding: Tensor, previous_outputs: Tensor) -> Tensor:
    """(B, T, S, D), the embedding at S = 0."""
    return torch.cat([embedding.unsqueeze(2), previous_outputs.permute(1, 2, 0, 3)], dim=2)


def full_attention_residual(
    embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor, eps: float = 1e-6
) -> dict[str, Tensor]:
    precise = torch.promote_types(embedding.dtype, torch.float32)
    values = _tokens_first(embedding, previous_outputs).to(precise)
    keys = values / (values.square().mean(dim=-1, keepdim=True) + eps).sqrt()
    scores = torch.matmul(keys, pseudo_query.to(precise))  # (B, T, S)
    weights = _stable_softmax(scores)  # <- mistake
    retrieved = torch.matmul(weights.unsqueeze(-2), values).squeeze(-2)
    return {
        "retrieved_representation": retrieved.to(embedding.dtype),
        "attention_weights": weights.permute(2, 0, 1).to(embedding.dtype),
    }
