# verdict: accepted
"""The tensors are positional-only parameters."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, /, eps=1e-6):
    v = torch.cat([embedding[None], previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax(k @ pseudo_query, dim=0)
    return {"retrieved_representation": (v * a[..., None]).sum(0), "attention_weights": a}
