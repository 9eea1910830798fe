# verdict: accepted
"""F.scaled_dot_product_attention with the depth as the sequence, one query, and scale=1."""

import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    batch, seq, width = embedding.shape

    # (B, T, S, D): tokens are the batch and the heads, sources are what is attended to
    values = torch.cat([embedding[None], previous_outputs]).permute(1, 2, 0, 3)
    keys = F.rms_norm(values, [width], eps=eps)
    query = pseudo_query.expand(batch, seq, 1, width)

    # No 1/sqrt(D) here, so the scale has to be given.
    mixed = F.scaled_dot_product_attention(query, keys, values, scale=1.0)
    # The fused kernel does not hand out its weights.
    weights = (query * keys).sum(-1).softmax(-1)

    return {
        "retrieved_representation": mixed.squeeze(2),
        "attention_weights": weights.permute(2, 0, 1),
    }
