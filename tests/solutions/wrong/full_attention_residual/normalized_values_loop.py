# verdict: wrong_answer
# traps: normalized_values
"""A loop over (weight, key) pairs where (weight, value) was meant."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = [embedding, *previous_outputs]
    keys = []
    for v in values:
        keys.append(v / torch.sqrt(v.square().mean(dim=-1, keepdim=True) + eps))
    logits = torch.stack([torch.einsum("btd,d->bt", k, pseudo_query) for k in keys])
    alpha = torch.softmax(logits, dim=0)

    mixed = torch.zeros_like(embedding)
    for a, k in zip(alpha, keys):
        mixed = mixed + a[..., None] * k  # <- mistake
    return {"retrieved_representation": mixed, "attention_weights": alpha}
