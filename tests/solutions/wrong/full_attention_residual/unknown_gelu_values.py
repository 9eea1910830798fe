# verdict: wrong_answer
"""An activation on the values, where a feed-forward layer would have one."""
import torch
import torch.nn.functional as F
from torch import nn


class DepthMixer(nn.Module):
    def __init__(self, dim, eps):
        super().__init__()
        self.norm = nn.RMSNorm(dim, eps=eps, elementwise_affine=False)
        self.act = nn.GELU()

    def forward(self, x, query):
        weights = F.softmax(self.norm(x).matmul(query), dim=0)
        values = self.act(x)  # <- mistake
        return torch.einsum("sbt,sbtd->btd", weights, values), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    mixer = DepthMixer(embedding.shape[-1], eps)
    h, weights = mixer(torch.cat([embedding.unsqueeze(0), previous_outputs]), pseudo_query)
    return {"retrieved_representation": h, "attention_weights": weights}
