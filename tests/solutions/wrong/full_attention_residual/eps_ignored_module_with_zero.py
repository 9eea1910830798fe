# verdict: wrong_answer
# traps: eps_ignored
"""An RMSNorm module of one's own whose eps defaults to 0 and is never set."""
import torch
from torch import nn


class RootMeanSquareNorm(nn.Module):
    def __init__(self, eps=0.0):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)


class FullAttnRes(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = RootMeanSquareNorm()  # <- mistake

    def forward(self, sources, query):
        alpha = torch.softmax(self.norm(sources).matmul(query), dim=0)
        return torch.einsum("sbt,sbtd->btd", alpha, sources), alpha


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    h, alpha = FullAttnRes()(torch.cat([embedding[None], previous_outputs]), pseudo_query)
    return {"retrieved_representation": h, "attention_weights": alpha}
