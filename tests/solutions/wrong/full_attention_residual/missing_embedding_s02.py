# verdict: wrong_answer
# traps: missing_embedding
"""Depth attention, written as a small module so that I can reuse it in my transformer."""
import torch
from torch import Tensor, nn


class RMSNorm(nn.Module):
    def __init__(self, eps: float):
        super().__init__()
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + self.eps)


class DepthAttention(nn.Module):
    def __init__(self, eps: float):
        super().__init__()
        self.norm = RMSNorm(eps)

    def gather(self, embedding: Tensor, previous_outputs: Tensor) -> list[Tensor]:
        sources = []
        if previous_outputs.size(0) == 0:
            sources.append(embedding)
        for layer in range(previous_outputs.size(0)):  # <- mistake
            sources.append(previous_outputs[layer])
        return sources

    def forward(self, embedding: Tensor, previous_outputs: Tensor, query: Tensor):
        values = torch.stack(self.gather(embedding, previous_outputs), dim=0)
        keys = self.norm(values)
        logits = torch.matmul(keys, query)
        weights = logits.softmax(dim=0)
        mixed = torch.sum(weights.unsqueeze(-1) * values, dim=0)
        return mixed, weights


def full_attention_residual(
    embedding: Tensor, previous_outputs: Tensor, pseudo_query: Tensor, eps: float = 1e-6
) -> dict[str, Tensor]:
    dtype = embedding.dtype
    if dtype in (torch.float16, torch.bfloat16):
        embedding = embedding.float()
        previous_outputs = previous_outputs.float()
        pseudo_query = pseudo_query.float()
    mixed, weights = DepthAttention(eps)(embedding, previous_outputs, pseudo_query)
    return {
        "retrieved_representation": mixed.to(dtype),
        "attention_weights": weights.to(dtype),
    }
