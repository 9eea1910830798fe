# verdict: wrong_answer
# based on nanoGPT's CausalSelfAttention
import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalDepthAttention(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def forward(self, x, w):
        S, B, T, C = x.size()
        k = F.rms_norm(x, (C,), eps=self.eps)
        att = (k @ w).permute(1, 2, 0)  # (B, T, S)
        mask = torch.tril(torch.ones(T, S, dtype=torch.bool, device=x.device))
        att = att.masked_fill(~mask, float("-inf"))  # <- mistake
        att = F.softmax(att, dim=-1)
        att = att.permute(2, 0, 1)
        y = (att.unsqueeze(-1) * x).sum(0)
        return y, att


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    y, att = CausalDepthAttention(eps)(x, pseudo_query)
    return {"retrieved_representation": y, "attention_weights": att}
