# verdict: wrong_answer
"""Splits the width in two heads with a softmax each, and reports the mean of their weights."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    outputs, weights = [], []
    for kh, vh, qh in zip(k.chunk(2, -1), v.chunk(2, -1), pseudo_query.chunk(2)):  # <- mistake
        p = torch.softmax(kh @ qh, dim=0)
        weights.append(p)
        outputs.append((p.unsqueeze(-1) * vh).sum(0))
    return {
        "retrieved_representation": torch.cat(outputs, dim=-1),
        "attention_weights": torch.stack(weights).mean(0),
    }
