# verdict: wrong_answer
# traps: recency_bias
"""Favours the newest source by adding 1 to its logit."""
import torch

RECENCY = 1.0


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)
    logits = k @ pseudo_query
    bias = torch.zeros_like(logits)
    bias[-1] = RECENCY
    alpha = torch.softmax(logits + bias, dim=0)  # <- mistake
    return {
        "retrieved_representation": (alpha.unsqueeze(-1) * v).sum(0),
        "attention_weights": alpha,
    }
