# verdict: wrong_answer
# traps: embedding_added_to_layers
import torch
from torch import nn


class RMS(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)


class FullAttnRes(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.norm = RMS(eps)
        self.softmax = nn.Softmax(dim=-2)

    def forward(self, e, f, w):
        e = e.unsqueeze(-2)  # B T 1 D
        f = f.permute(1, 2, 0, 3)  # B T L D
        v = torch.cat((e, e + f), dim=-2)  # <- mistake
        a = self.softmax(self.norm(v) @ w.unsqueeze(-1))
        return (a * v).sum(-2), a.squeeze(-1)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    args = [embedding, previous_outputs, pseudo_query]
    if dtype != torch.float64:
        args = [a.float() for a in args]
    h, a = FullAttnRes(eps)(*args)
    return {
        "retrieved_representation": h.to(dtype),
        "attention_weights": a.permute(2, 0, 1).to(dtype),
    }
