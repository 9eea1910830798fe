# verdict: wrong_answer
# traps: wrong_dtype
"""Computes in float32 and never casts back."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(torch.float32)  # <- mistake
    k = v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax(k @ pseudo_query.to(torch.float32), dim=0)
    h = (a.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h, "attention_weights": a}
