# verdict: wrong_answer
"""Positive weights by softplus, divided by their sum."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    scores, sources = [], (embedding,) + previous_outputs.unbind(0)
    for s in sources:
        scores.append(F.softplus(F.rms_norm(s, s.shape[-1:], eps=eps) @ pseudo_query))  # <- mistake
    total = torch.stack(scores).sum(0)
    weights = [s / total for s in scores]
    mixed = sum(w.unsqueeze(-1) * s for w, s in zip(weights, sources))
    return {"retrieved_representation": mixed, "attention_weights": torch.stack(weights)}
