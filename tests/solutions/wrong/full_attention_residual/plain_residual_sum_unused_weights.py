# verdict: wrong_answer
# traps: plain_residual_sum
"""Computes the weights and returns them, but the result is the residual stream."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = sources * torch.rsqrt(sources.pow(2).mean(-1, keepdim=True) + eps)
    attention_weights = torch.softmax(torch.einsum("sbtd,d->sbt", keys, pseudo_query), dim=0)
    retrieved = embedding + previous_outputs.sum(dim=0)  # <- mistake
    return {"retrieved_representation": retrieved, "attention_weights": attention_weights}
