# verdict: wrong_answer
# traps: scaled_by_sqrt_width, weights_source_axis_last
"""Batch-first attention with 1 / sqrt(D), whose weights come back as (B, T, S)."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    tokens = torch.stack([embedding, *previous_outputs], dim=2)
    keys = F.rms_norm(tokens, tokens.shape[-1:], eps=eps)
    attn = F.softmax(keys @ (pseudo_query / tokens.shape[-1] ** 0.5), dim=-1)  # <- mistake
    mixed = torch.matmul(attn.unsqueeze(2), tokens).squeeze(2)
    return {"retrieved_representation": mixed, "attention_weights": attn}  # <- mistake
