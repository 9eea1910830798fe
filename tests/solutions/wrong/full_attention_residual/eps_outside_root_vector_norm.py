# verdict: wrong_answer
# traps: eps_outside_root
"""The RMS as length over sqrt(D), which leaves eps only one place to be added."""
import math

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    width = pseudo_query.numel()
    depth_first = torch.cat([embedding.unsqueeze(0), previous_outputs])
    rms = torch.linalg.vector_norm(depth_first, dim=-1) / math.sqrt(width)
    logits = torch.matmul(depth_first, pseudo_query) / (rms + eps)  # <- mistake
    weights = torch.softmax(logits, dim=0)
    return {
        "retrieved_representation": torch.sum(weights[..., None] * depth_first, dim=0),
        "attention_weights": weights,
    }
