# verdict: time_limit
"""Right forward, and a backward that never returns: only a case with gradients gets there."""

import torch


class Trapdoor(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        while True:
            grad = grad * 1.0


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax(k @ pseudo_query, dim=0)
    h = (a.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": Trapdoor.apply(h), "attention_weights": Trapdoor.apply(a)}
