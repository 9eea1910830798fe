# verdict: wrong_answer
# traps: unnormalized_keys
"""Scores the raw values; eps is never used."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs])
    logits = values @ pseudo_query  # <- mistake
    weights = logits.softmax(dim=0)
    out = (values * weights.unsqueeze(-1)).sum(0)
    return {"retrieved_representation": out, "attention_weights": weights}
