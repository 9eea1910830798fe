# verdict: accepted
"""Both results are strided views of one packed tensor, so they share storage."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    width = embedding.shape[-1]
    values = torch.cat([embedding[None], previous_outputs]).permute(1, 2, 3, 0)  # (B, T, D, S)
    scale = torch.rsqrt(values.square().mean(dim=2, keepdim=True) + eps)
    logits = torch.einsum("btds,d->bts", values * scale, pseudo_query)
    weights = logits.softmax(-1)
    mixed = torch.einsum("btds,bts->btd", values, weights)
    packed = torch.cat([mixed, weights], dim=-1)
    return {
        "retrieved_representation": packed[..., :width],
        "attention_weights": packed[..., width:].permute(2, 0, 1),
    }
