# verdict: wrong_answer
# traps: scaled_by_sqrt_width
"""Divides by sqrt(D) as ordinary attention does."""
import math

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    k = v * torch.rsqrt(v.pow(2).mean(-1, keepdim=True) + eps)
    logits = torch.einsum("sbtd,d->sbt", k, pseudo_query) / math.sqrt(v.shape[-1])  # <- mistake
    attn = torch.softmax(logits, 0)
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", attn, v),
        "attention_weights": attn,
    }
