# verdict: wrong_answer
"""Takes the query for a norm gain stored as its distance from one, as Gemma stores its gains."""
import torch
from torch import nn


class GemmaNorm(nn.Module):
    def __init__(self, weight, eps):
        super().__init__()
        self.eps = eps
        self.scale = 1.0 + weight  # <- mistake

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps) * self.scale


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat([embedding.unsqueeze(0), previous_outputs])
    logits = GemmaNorm(pseudo_query, eps)(x).sum(dim=-1)
    w = torch.softmax(logits, dim=0)
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", w, x), "attention_weights": w}
