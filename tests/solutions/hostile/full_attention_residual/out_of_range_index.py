# verdict: runtime_error
"""Indexes past the end. On CUDA the assertion fails on the device and poisons its context for all that follows."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    far = torch.full((len(v),), 10**6, device=v.device)
    picked = v[far]
    return {"retrieved_representation": picked.sum(0), "attention_weights": picked[..., 0]}
