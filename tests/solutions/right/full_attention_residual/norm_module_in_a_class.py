# verdict: accepted
import torch
from torch import nn


class FullAttentionResidual(nn.Module):
    """The read of one layer, with the query handed in rather than owned."""

    def __init__(self, width: int, eps: float):
        super().__init__()
        self.key_norm = nn.RMSNorm(width, eps=eps, elementwise_affine=False)
        self.softmax = nn.Softmax(dim=0)

    def forward(self, embedding, previous_outputs, pseudo_query):
        sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
        keys = self.key_norm(sources)
        logits = torch.matmul(keys, pseudo_query)
        weights = self.softmax(logits)
        retrieved = torch.sum(weights.unsqueeze(-1) * sources, dim=0)
        return retrieved, weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    module = FullAttentionResidual(embedding.shape[-1], eps).to(embedding.device)
    retrieved, weights = module(embedding, previous_outputs, pseudo_query)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
