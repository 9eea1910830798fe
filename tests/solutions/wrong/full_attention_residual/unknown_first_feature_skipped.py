# verdict: wrong_answer
"""Counts features from 1: the first of them is left out of the dot product."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = [embedding, *previous_outputs]
    width = embedding.shape[2]
    logits = []
    for s in sources:
        k = s / torch.sqrt(s.pow(2).mean(-1, keepdim=True) + eps)
        score = torch.zeros_like(s[..., 0])
        for d in range(1, width):  # <- mistake
            score = score + k[..., d] * pseudo_query[d]
        logits.append(score)
    a = torch.softmax(torch.stack(logits), dim=0)
    h = torch.zeros_like(embedding)
    for i in range(len(sources)):
        h = h + a[i].unsqueeze(-1) * sources[i]
    return {"retrieved_representation": h, "attention_weights": a}
