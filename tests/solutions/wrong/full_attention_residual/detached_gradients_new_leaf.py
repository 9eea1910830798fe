# verdict: wrong_answer | runtime_error
# traps: detached_gradients
"""Wraps the query in a parameter of its own: the values are right, but the gradient stops at the copy."""
import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self, query, eps):
        super().__init__()
        self.query = nn.Parameter(query.detach().clone())  # <- mistake
        self.norm = nn.RMSNorm(query.numel(), eps=eps, elementwise_affine=False)

    def forward(self, sources):
        weights = (self.norm(sources) @ self.query).softmax(0)
        return torch.einsum("sbt,sbtd->btd", weights, sources), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    read, weights = Reader(pseudo_query, eps)(torch.cat([embedding.unsqueeze(0), previous_outputs]))
    return {"retrieved_representation": read, "attention_weights": weights}
