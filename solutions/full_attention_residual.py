"""Full Attention Residuals: every layer chooses, token by token, among all that came before it.

An ordinary residual stream adds up the embedding and the outputs of the layers, and a later layer
sees only the sum. Here they stay apart, as *sources*, and one learned vector, the *pseudo-query*,
decides how much of each source a token gets:

    keys    = sources / sqrt(mean(sources ** 2) + eps)   direction only: size wins nothing
    logits  = keys . pseudo_query                        one number for each source and token
    weights = softmax(logits) over the sources           never over the tokens
    result  = sum of weights * sources                   the raw sources, not the keys

Attention over depth, that is. A token looks at its own earlier states and at no other token, so
there is no mask, and the query is not made from the token, so there is no projection.

What this does not do: it has no gain in the norm, no 1/sqrt(width), no dropout, and it keeps all
sources (the Block form sums them in groups to save memory).

Source: Kimi Team, "Attention Residuals", arXiv 2603.15031.
"""

from __future__ import annotations

import torch
from torch import Tensor


def full_attention_residual(
    embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor, eps: float = 1e-6
) -> dict[str, Tensor]:
    """Mix the embedding and the outputs of all earlier layers, with weights for each token.

    embedding (batch, sequence, width), previous_outputs (layers, batch, sequence, width) with
    layers >= 0, pseudo_query (width,). Returns `retrieved_representation` (batch, sequence, width)
    and `attention_weights` (layers + 1, batch, sequence), in the dtype of the inputs.

    One token of width 4, its embedding all +1, one layer output all -5. The keys are all +1 and
    all -1: the 5 is gone. Half of log(2) against them gives two logits that lie log(2) apart, so
    the embedding weighs twice as much as the layer, and the result is 2/3 * 1 + 1/3 * -5 = -1:

    >>> embedding, layer = torch.full((1, 1, 4), 1.0), torch.full((1, 1, 1, 4), -5.0)
    >>> query = torch.tensor([torch.tensor(2.0).log() / 2, 0.0, 0.0, 0.0])
    >>> result = full_attention_residual(embedding, layer, query)
    >>> [round(weight, 4) for weight in result["attention_weights"].flatten().tolist()]
    [0.6667, 0.3333]
    >>> [round(value, 4) for value in result["retrieved_representation"].flatten().tolist()]
    [-1.0, -1.0, -1.0, -1.0]
    """
    dtype = embedding.dtype
    # Half precision is computed in float32; float32 and float64 stay what they are.
    # (A plain .float() would narrow float64.)
    working_dtype = torch.promote_types(dtype, torch.float32)

    # Source 0 is the embedding, then the layers in the order in which they ran. With no layers
    # this is the embedding alone, and everything below still holds.
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(working_dtype)
    query = pseudo_query.to(working_dtype)

    mean_square = sources.square().mean(dim=-1, keepdim=True)
    keys = sources * torch.rsqrt(mean_square + eps)
    logits = keys @ query  # (layers + 1, batch, sequence)
    weights = logits.softmax(dim=0)  # subtracts the greatest logit first: no overflow
    retrieved = (weights.unsqueeze(-1) * sources).sum(dim=0)

    return {
        "retrieved_representation": retrieved.to(dtype),
        "attention_weights": weights.to(dtype),
    }
