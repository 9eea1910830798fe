# verdict: wrong_answer | runtime_error
# traps: needs_contiguous_input
"""Reads the raw storage with as_strided, as if it were laid out row by row."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L, B, T, D = previous_outputs.shape
    layers = torch.as_strided(previous_outputs, (L, B, T, D), (B * T * D, T * D, D, 1))  # <- mistake
    v = torch.cat([embedding.unsqueeze(0), layers])
    k = v * torch.rsqrt(v.pow(2).mean(-1, keepdim=True) + eps)
    a = torch.softmax((k * pseudo_query).sum(-1), 0)
    return {"retrieved_representation": (a.unsqueeze(-1) * v).sum(0), "attention_weights": a}
