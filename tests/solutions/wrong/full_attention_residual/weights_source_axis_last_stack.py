# verdict: wrong_answer
# traps: weights_source_axis_last
"""Stacks along the last axis and returns the weights as (B, T, S)."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.stack([embedding, *previous_outputs], dim=-2)  # (B, T, S, D)
    keys = values * torch.rsqrt(values.square().mean(-1, keepdim=True) + eps)
    weights = torch.softmax(keys @ pseudo_query, dim=-1)
    mixed = torch.einsum("bts,btsd->btd", weights, values)
    return {"retrieved_representation": mixed, "attention_weights": weights}  # <- mistake
