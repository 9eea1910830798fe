# verdict: wrong_answer
"""Scores the layers only and gives the embedding the fixed logit 0."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    scores = F.rms_norm(previous_outputs, previous_outputs.shape[-1:], eps=eps) @ pseudo_query
    scores = F.pad(scores, (0, 0, 0, 0, 1, 0))  # <- mistake
    weights = F.softmax(scores, dim=0)
    values = torch.cat([embedding.unsqueeze(0), previous_outputs])
    return {
        "retrieved_representation": (weights.unsqueeze(-1) * values).sum(0),
        "attention_weights": weights,
    }
