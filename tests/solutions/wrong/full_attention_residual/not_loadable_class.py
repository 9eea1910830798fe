# verdict: not_loadable
"""A class of the asked-for name, an nn.Module with the work in forward."""
import torch
from torch import nn


class full_attention_residual(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.query = nn.Parameter(torch.zeros(dim))
        self.norm = nn.RMSNorm(dim, eps=eps)

    def forward(self, embedding, previous_outputs):
        v = torch.cat([embedding.unsqueeze(0), previous_outputs])
        a = (self.norm(v) @ self.query).softmax(0)
        return {"retrieved_representation": (a.unsqueeze(-1) * v).sum(0), "attention_weights": a}
