# verdict: accepted
"""A plain loop over the sources, one after the other."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = [embedding]
    for i in range(previous_outputs.shape[0]):
        sources.append(previous_outputs[i])

    logits = []
    for v in sources:
        rms = torch.sqrt((v * v).mean(dim=-1, keepdim=True) + eps)
        k = v / rms
        logits.append((k * pseudo_query).sum(dim=-1))
    alpha = torch.softmax(torch.stack(logits), dim=0)

    h = torch.zeros_like(embedding)
    for i, v in enumerate(sources):
        h = h + alpha[i].unsqueeze(-1) * v

    return {"retrieved_representation": h, "attention_weights": alpha}
