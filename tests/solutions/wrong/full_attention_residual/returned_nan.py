# verdict: wrong_answer
"""Masks the logits with -inf everywhere by mistake, so every result is NaN."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    logits = k @ pseudo_query
    in_the_future = torch.ones_like(logits, dtype=torch.bool)
    a = logits.masked_fill(in_the_future, float("-inf")).softmax(0)
    return {"retrieved_representation": (a.unsqueeze(-1) * v).sum(0), "attention_weights": a}
