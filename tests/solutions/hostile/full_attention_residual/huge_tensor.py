# verdict: memory_limit | runtime_error
"""Asks for 4 TB; where that is granted on paper, it touches the first 8 GB of it."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    scores = torch.empty(10**12)
    scores[: 2 * 10**9].fill_(1.0)
    return {"retrieved_representation": scores[: embedding.numel()], "attention_weights": scores[:1]}
