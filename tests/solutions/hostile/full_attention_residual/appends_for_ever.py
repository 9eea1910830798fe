# verdict: memory_limit | runtime_error
"""Appends tensors and never lets go. Gives up at 8 GB, so that an unprotected machine survives."""
import torch

kept = []


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    while len(kept) < 2_000:
        kept.append(torch.ones(1_000_000))  # 4 MB
    return {"retrieved_representation": torch.zeros_like(embedding), "attention_weights": previous_outputs}
