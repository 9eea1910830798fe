# verdict: wrong_answer
# traps: mean_absolute_keys
"""Scales each source by its average magnitude, the mean of |x|."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    stacked = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    magnitude = stacked.abs().mean(dim=-1, keepdim=True)  # <- mistake
    unit = stacked / (magnitude + eps)
    score = (unit * pseudo_query).sum(-1)
    prob = score.softmax(0)
    return {"retrieved_representation": (prob.unsqueeze(-1) * stacked).sum(0), "attention_weights": prob}
