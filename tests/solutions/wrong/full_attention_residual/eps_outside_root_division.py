# verdict: wrong_answer
# traps: eps_outside_root
"""Adds eps to the root mean square instead of to the mean square."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    mean_square = (v * v).mean(dim=-1, keepdim=True)
    k = v / (torch.sqrt(mean_square) + eps)  # <- mistake
    a = torch.softmax((k * pseudo_query).sum(dim=-1), dim=0)
    h = torch.sum(a.unsqueeze(-1) * v, dim=0)
    return {"retrieved_representation": h, "attention_weights": a}
