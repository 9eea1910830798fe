# verdict: accepted
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """F.normalize does the work: one more feature of sqrt(D eps) makes its length the RMS."""
    dtype = embedding.dtype
    wide = torch.promote_types(dtype, torch.float32)
    v = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(wide)
    w = pseudo_query.to(wide)
    d = v.shape[-1]
    padded = F.pad(v, (0, 1), value=(d * eps) ** 0.5)
    unit = F.normalize(padded, dim=-1, eps=0.0)[..., :d]
    logits = (unit * d**0.5) @ w
    weights = logits.softmax(0)
    h = (weights.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h.to(dtype), "attention_weights": weights.to(dtype)}
