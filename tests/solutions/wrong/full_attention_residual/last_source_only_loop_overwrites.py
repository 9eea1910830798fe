# verdict: wrong_answer
# traps: last_source_only
"""Looks only at what came last, and reports weights that were never used."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.stack([embedding, *previous_outputs])
    a = F.softmax(F.rms_norm(v, v.shape[-1:], eps=eps) @ pseudo_query, dim=0)
    return {"retrieved_representation": v[-1], "attention_weights": a}  # <- mistake
