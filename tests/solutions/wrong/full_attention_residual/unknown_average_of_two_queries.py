# verdict: wrong_answer
"""Averages the given query with one made from the embedding."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    bank = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = F.rms_norm(bank, bank.shape[-1:], eps=eps)
    query = (pseudo_query + keys[0]) / 2  # (B, T, D)  # <- mistake
    logits = (keys * query).sum(-1)
    weights = F.softmax(logits, dim=0)
    return {
        "retrieved_representation": (weights.unsqueeze(-1) * bank).sum(0),
        "attention_weights": weights,
    }
