# verdict: wrong_answer
# traps: zero_layers
"""Treats 'no layers' apart, and returns the normalised embedding there."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    if previous_outputs.numel() == 0:
        alone = F.rms_norm(embedding, embedding.shape[-1:], eps=eps)  # <- mistake
        return {
            "retrieved_representation": alone,
            "attention_weights": torch.ones_like(embedding[..., 0]).unsqueeze(0),
        }
    values = torch.cat([embedding.unsqueeze(0), previous_outputs])
    weights = F.softmax(F.rms_norm(values, values.shape[-1:], eps=eps) @ pseudo_query, dim=0)
    return {
        "retrieved_representation": (weights.unsqueeze(-1) * values).sum(0),
        "attention_weights": weights,
    }
