# verdict: wrong_answer
# traps: uniform_weights
"""Starts the query at zero inside, as the paper initialises it, over the one that was given."""
import torch
from torch import nn


class AttnRes(nn.Module):
    def __init__(self, like, eps):
        super().__init__()
        self.query = nn.Parameter(torch.zeros_like(like))  # <- mistake
        self.norm = nn.RMSNorm(like.numel(), eps=eps, elementwise_affine=False)

    def forward(self, sources):
        weights = torch.softmax(self.norm(sources) @ self.query, dim=0)
        return (weights[..., None] * sources).sum(0), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    h, a = AttnRes(pseudo_query, eps)(torch.cat([embedding.unsqueeze(0), previous_outputs]))
    return {"retrieved_representation": h, "attention_weights": a}
