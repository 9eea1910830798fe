# verdict: wrong_answer
# traps: logits_as_weights
"""Overwrites nothing, and so still has the logits at hand under the name `attention` at the end."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    attention = (sources / torch.sqrt(sources.square().mean(-1, keepdim=True) + eps)) @ pseudo_query
    mixed = (torch.softmax(attention, dim=0).unsqueeze(-1) * sources).sum(0)
    return {"retrieved_representation": mixed, "attention_weights": attention}  # <- mistake
