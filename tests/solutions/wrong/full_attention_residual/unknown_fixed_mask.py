# verdict: wrong_answer
"""A dropout with a fixed pattern: every tenth feature of the result is zero, the others are scaled up."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax(k @ pseudo_query, dim=0)
    h = (a.unsqueeze(-1) * v).sum(0)
    keep = torch.arange(h.shape[-1], device=h.device) % 10 != 9
    h = h * keep.to(h.dtype) / 0.9  # <- mistake
    return {"retrieved_representation": h, "attention_weights": a}
