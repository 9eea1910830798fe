# verdict: wrong_answer
# traps: embedding_last
from __future__ import annotations

import torch
from torch import Tensor


def full_attention_residual(
    embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor, eps: float = 1e-6
) -> dict[str, Tensor]:
    """Mix the embedding and the outputs of all earlier layers, with weights for each token."""
    all_states = [previous_outputs, embedding[None]]  # <- mistake
    sources = torch.cat(all_states, dim=0)

    mean_square = torch.mean(sources * sources, dim=-1, keepdim=True)
    keys = sources / torch.sqrt(mean_square + eps)

    logits = torch.einsum("sbtd,d->sbt", keys, pseudo_query)
    weights = torch.softmax(logits, dim=0)

    retrieved = torch.einsum("sbt,sbtd->btd", weights, sources)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
