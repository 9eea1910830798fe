# verdict: accepted
"""Structural pattern matching on the shape and on the dtype."""

import torch


def _accumulate_dtype(dtype):
    match dtype:
        case torch.float16 | torch.bfloat16:
            return torch.float32
        case other:
            return other


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    match tuple(previous_outputs.shape):
        case (0, _, _, _):
            values = embedding.unsqueeze(0)
        case (_, batch, tokens, width) if (batch, tokens, width) == tuple(embedding.shape):
            values = torch.cat([embedding.unsqueeze(0), previous_outputs])
        case shape:
            raise ValueError(f"previous_outputs has shape {shape}")

    wide = values.to(_accumulate_dtype(values.dtype))
    keys = wide / torch.sqrt(wide.square().mean(-1, keepdim=True) + eps)
    logits = torch.einsum("sbtd,d->sbt", keys, pseudo_query.to(wide.dtype))
    alpha = logits.softmax(0)
    mixed = torch.einsum("sbt,sbtd->btd", alpha, wide)
    return {
        "retrieved_representation": mixed.to(values.dtype),
        "attention_weights": alpha.to(values.dtype),
    }
