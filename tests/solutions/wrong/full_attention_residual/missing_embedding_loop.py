# verdict: wrong_answer
# traps: missing_embedding
"""Collects the sources in a list that starts empty, and gives the embedding back only when there are no layers."""

import torch


def rms(x, eps):
    return torch.sqrt((x * x).mean(-1, keepdim=True) + eps)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    if len(previous_outputs) == 0:
        ones = torch.ones_like(embedding[..., 0])
        return {"retrieved_representation": embedding, "attention_weights": ones.unsqueeze(0)}

    sources = []  # <- mistake
    for layer in previous_outputs:
        sources.append(layer)

    scores = []
    for source in sources:
        key = source / rms(source, eps)
        scores.append((key * pseudo_query).sum(-1))
    weights = torch.softmax(torch.stack(scores), dim=0)

    out = torch.zeros_like(embedding)
    for w, source in zip(weights, sources):
        out = out + w.unsqueeze(-1) * source
    return {"retrieved_representation": out, "attention_weights": weights}
