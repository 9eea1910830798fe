# verdict: accepted
"""Half inputs are computed in float32 and cast back; float32 and float64 stay what they are."""

import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    working = embedding.dtype
    if working in (torch.float16, torch.bfloat16):
        working = torch.float32

    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0).to(working)
    logits = F.rms_norm(sources, sources.shape[-1:], eps=eps) @ pseudo_query.to(working)
    weights = torch.softmax(logits, dim=0)
    retrieved = torch.einsum("sbt,sbtd->btd", weights, sources)
    return {
        "retrieved_representation": retrieved.type_as(embedding),
        "attention_weights": weights.type_as(embedding),
    }
