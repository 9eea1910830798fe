# verdict: wrong_answer
# traps: detached_gradients
import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self, query, eps):
        super().__init__()
        self.w = nn.Parameter(query.detach().clone())  # <- mistake
        self.eps = eps

    def norm(self, x):
        return x / (x.pow(2).mean(-1, keepdim=True) + self.eps).sqrt()

    def forward(self, e, fs):
        v = torch.cat([e.unsqueeze(0), fs])
        logits = self.norm(v) @ self.w
        a = torch.softmax(logits, dim=0)
        return (a.unsqueeze(-1) * v).sum(0), a


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    h, a = Reader(pseudo_query, eps)(embedding, previous_outputs)
    return {"retrieved_representation": h, "attention_weights": a}
