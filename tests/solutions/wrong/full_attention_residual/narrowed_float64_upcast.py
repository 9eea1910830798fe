# verdict: wrong_answer
# traps: narrowed_float64
"""`.float()` meant as an upcast for half inputs narrows float64 ones; the dtype is put right at the end."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0).float()  # <- mistake
    k = F.rms_norm(v, (v.shape[-1],), eps=eps)
    attn = torch.softmax(k @ pseudo_query.float(), dim=0)
    out = (attn.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": out.to(dtype), "attention_weights": attn.to(dtype)}
