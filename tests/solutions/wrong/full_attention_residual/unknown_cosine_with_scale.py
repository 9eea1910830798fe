# verdict: wrong_answer
"""Cosine attention with the scale 10, as in the second Swin transformer."""
import math

import torch
from torch import nn


class CosineAttention(nn.Module):
    def __init__(self, scale=10.0):
        super().__init__()
        self.log_scale = math.log(scale)

    def forward(self, query, sources):
        cosine = torch.cosine_similarity(sources, query.expand_as(sources), dim=-1)  # <- mistake
        attn = torch.softmax(cosine * math.exp(self.log_scale), dim=0)  # <- mistake
        return torch.einsum("s...,s...d->...d", attn, sources), attn


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    bank = torch.stack([embedding, *previous_outputs])
    read, attn = CosineAttention()(pseudo_query, bank)
    return {"retrieved_representation": read, "attention_weights": attn}
