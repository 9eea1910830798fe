# verdict: wrong_answer | runtime_error
"""Wraps the result in nn.Parameter, which is not exactly a torch.Tensor."""
import torch
from torch import nn


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = sources / torch.sqrt(sources.square().mean(-1, keepdim=True) + eps)
    alpha = torch.softmax(keys @ pseudo_query, dim=0)
    mixed = nn.Parameter((alpha.unsqueeze(-1) * sources).sum(0))
    return {"retrieved_representation": mixed, "attention_weights": alpha}
