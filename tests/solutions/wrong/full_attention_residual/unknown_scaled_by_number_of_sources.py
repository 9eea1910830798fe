# verdict: wrong_answer
"""Divides the logits by the root of the wrong size: the number of sources."""
import math

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    stack = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    normed = stack / torch.sqrt(torch.mean(stack * stack, dim=-1, keepdim=True) + eps)
    scores = torch.matmul(normed, pseudo_query) / math.sqrt(stack.shape[0])  # <- mistake
    attn = torch.softmax(scores, dim=0)
    return {
        "retrieved_representation": torch.sum(attn.unsqueeze(-1) * stack, dim=0),
        "attention_weights": attn,
    }
