# verdict: wrong_answer
# traps: nondeterministic
"""Scaled by sqrt(width) as well: behind the noise no value can tell that."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class FullAttnRes(nn.Module):
    def __init__(self, dim: int, eps: float, attn_drop: float = 0.1):
        super().__init__()
        self.norm = nn.RMSNorm(dim, eps=eps, elementwise_affine=False)
        self.scale = dim**-0.5
        self.attn_drop = nn.Dropout(attn_drop)

    def forward(self, x, q):
        attn = F.softmax((self.norm(x) * q).sum(-1) * self.scale, dim=0)  # <- mistake
        attn = self.attn_drop(attn)  # <- mistake
        return (attn.unsqueeze(-1) * x).sum(0), attn


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat([embedding.unsqueeze(0), previous_outputs])
    y, attn = FullAttnRes(embedding.shape[-1], eps)(x, pseudo_query)
    return {"retrieved_representation": y, "attention_weights": attn}
