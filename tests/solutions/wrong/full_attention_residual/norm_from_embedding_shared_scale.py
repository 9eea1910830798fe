# verdict: wrong_answer
# traps: norm_from_embedding
"""Computes the scale once, from the embedding, and uses it for all layers."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    inv = torch.rsqrt(embedding.square().mean(-1) + eps)  # <- mistake
    everything = torch.cat([embedding.unsqueeze(0), previous_outputs])
    logits = torch.stack([(x @ pseudo_query) * inv for x in everything])
    w = logits.softmax(0)
    out = torch.stack([wi[..., None] * x for wi, x in zip(w, everything)]).sum(0)
    return {"retrieved_representation": out, "attention_weights": w}
