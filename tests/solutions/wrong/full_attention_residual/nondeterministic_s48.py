# verdict: wrong_answer
# traps: nondeterministic
import torch
import torch.nn as nn
from torch.nn import functional as F


class DepthSelfAttention(nn.Module):
    def __init__(self, n_embd, eps, attn_pdrop=0.1):
        super().__init__()
        self.n_embd = n_embd
        self.eps = eps
        self.attn_dropout = nn.Dropout(attn_pdrop)

    def forward(self, x, w):
        S, B, T, C = x.size()
        k = F.rms_norm(x, (self.n_embd,), eps=self.eps)
        att = k @ w
        att = F.softmax(att, dim=0)
        att = self.attn_dropout(att)  # <- mistake
        y = (att.unsqueeze(-1) * x).sum(dim=0)
        return y, att


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat((embedding.unsqueeze(0), previous_outputs), dim=0)
    attn = DepthSelfAttention(embedding.size(-1), eps)
    y, att = attn(x, pseudo_query)
    return {"retrieved_representation": y, "attention_weights": att}
