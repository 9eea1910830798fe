# verdict: accepted
"""Streaming softmax: one pass over the layers with a running maximum, sum and mix."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def score(v):
        return (v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)) @ pseudo_query

    # The embedding starts the stream, so the maximum is never -inf.
    top = score(embedding)
    logits = [top]
    total = torch.ones_like(top)
    mix = embedding
    for layer in previous_outputs:
        logit = score(layer)
        logits.append(logit)
        new_top = torch.maximum(top, logit)
        keep, add = torch.exp(top - new_top), torch.exp(logit - new_top)
        total = total * keep + add
        mix = mix * keep.unsqueeze(-1) + layer * add.unsqueeze(-1)
        top = new_top

    weights = torch.stack([torch.exp(logit - top) / total for logit in logits])
    return {
        "retrieved_representation": mix / total.unsqueeze(-1),
        "attention_weights": weights,
    }
