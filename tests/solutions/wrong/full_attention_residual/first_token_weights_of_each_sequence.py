# verdict: wrong_answer
# traps: first_token_weights
"""Computes the weights at position 0 and broadcasts them over the sequence."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    first = v[:, :, :1]  # <- mistake
    k = first / torch.sqrt(first.square().mean(-1, keepdim=True) + eps)
    alpha = torch.softmax(k @ pseudo_query, dim=0)  # (S, B, 1)
    h = (alpha.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h, "attention_weights": alpha.expand(v.shape[:3])}
