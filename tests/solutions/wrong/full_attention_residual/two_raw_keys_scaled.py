# verdict: wrong_answer
# traps: unnormalized_keys, scaled_by_sqrt_width
"""Scaled dot-product attention out of the textbook: softmax(q k / sqrt(d)) v, without any norm."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.stack([embedding, *previous_outputs], dim=-2)  # (B, T, S, D)
    k = v  # <- mistake
    scale = float(v.shape[-1]) ** 0.5
    scores = (k * pseudo_query).sum(-1) / scale  # <- mistake
    attn = F.softmax(scores, dim=-1)
    out = (attn.unsqueeze(-2) @ v).squeeze(-2)
    return {"retrieved_representation": out, "attention_weights": attn.movedim(-1, 0)}
