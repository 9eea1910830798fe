# verdict: wrong_answer
# traps: missing_root
"""Divides by the mean square itself; computed in float32 for half inputs."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    wide = torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype
    v = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(wide)
    q = pseudo_query.to(wide)
    k = v / (v.pow(2).mean(-1, keepdim=True) + eps)  # <- mistake
    a = torch.softmax(k @ q, dim=0)
    h = (a.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h.to(dtype), "attention_weights": a.to(dtype)}
