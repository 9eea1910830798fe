# verdict: wrong_answer
# traps: softmax_over_tokens
"""An nn.Softmax(dim=2) made in a constructor for (B, S, T, D), where axis 2 is the token."""
import torch
from torch import nn


class DepthAttention(nn.Module):
    """Sources live on axis 1."""

    def __init__(self, eps):
        super().__init__()
        self.eps = eps
        self.softmax = nn.Softmax(dim=2)  # <- mistake

    def norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, sources, query):
        attention = self.softmax(self.norm(sources) @ query)
        return (attention[..., None] * sources).sum(1), attention


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(1), previous_outputs.transpose(0, 1)], dim=1)
    out, attention = DepthAttention(eps)(sources, pseudo_query)
    return {"retrieved_representation": out, "attention_weights": attention.transpose(0, 1)}
