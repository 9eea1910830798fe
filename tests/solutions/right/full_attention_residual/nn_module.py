# verdict: accepted
"""An nn.Module whose forward takes the query, so that no Parameter gets into the result."""
import torch
import torch.nn as nn


class FullAttnRes(nn.Module):
    def __init__(self, eps: float):
        super().__init__()
        self.eps = eps

    def extra_repr(self):
        return f"eps={self.eps}"

    def forward(self, embedding, previous_outputs, query):
        x = torch.cat([embedding[None, ...], previous_outputs], dim=0)
        variance = x.pow(2).mean(-1, keepdim=True)
        normed = x * torch.rsqrt(variance + self.eps)
        attn = torch.softmax((normed * query).sum(-1), dim=0)
        return (attn[..., None] * x).sum(0), attn


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    module = FullAttnRes(eps).eval()
    hidden, attn = module(embedding, previous_outputs, pseudo_query)
    return {"retrieved_representation": hidden, "attention_weights": attn}
