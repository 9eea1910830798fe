# verdict: wrong_answer
# traps: normalized_query
"""Query and keys pass the same RMSNorm, as in QK-norm."""
import torch
from torch import nn


class QKNormAttention(nn.Module):
    def __init__(self, dim, eps):
        super().__init__()
        self.qk_norm = nn.RMSNorm(dim, eps=eps, elementwise_affine=False)

    def forward(self, q, kv):
        q = self.qk_norm(q)  # <- mistake
        k = self.qk_norm(kv)
        weights = (k @ q).softmax(0)
        return (weights.unsqueeze(-1) * kv).sum(0), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    attention = QKNormAttention(embedding.shape[-1], eps)
    out, weights = attention(pseudo_query, torch.cat([embedding.unsqueeze(0), previous_outputs]))
    return {"retrieved_representation": out, "attention_weights": weights}
