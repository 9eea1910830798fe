# verdict: wrong_answer
# traps: last_output_added
"""x + Attention(x), with the newest source for x: without any layers that is the embedding, which doubles."""
import torch
from torch import nn


class ResidualWrapper(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, sources, query):
        read, weights = self.inner(sources, query)
        return sources[-1] + read, weights  # <- mistake


class DepthRead(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.norm = nn.RMSNorm(width, eps=eps, elementwise_affine=False)

    def forward(self, sources, query):
        weights = torch.softmax(self.norm(sources) @ query, dim=0)
        return (weights.unsqueeze(-1) * sources).sum(0), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    block = ResidualWrapper(DepthRead(pseudo_query.shape[0], eps))
    h, a = block(torch.cat([embedding.unsqueeze(0), previous_outputs]), pseudo_query)
    return {"retrieved_representation": h, "attention_weights": a}
