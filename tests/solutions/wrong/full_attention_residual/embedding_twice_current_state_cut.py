# verdict: wrong_answer
# traps: embedding_twice
"""Appends the embedding once more as 'the current state', and cuts its weight off to get the shape right."""
import torch


def rms_normalise(x, eps):
    return x * (x.pow(2).mean(-1, keepdim=True) + eps).rsqrt()


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    n = previous_outputs.shape[0] + 1
    e = embedding.unsqueeze(0)
    v = torch.cat([e, previous_outputs, e], dim=0)  # <- mistake
    a = torch.softmax(rms_normalise(v, eps) @ pseudo_query, dim=0)
    h = (a[..., None] * v).sum(0)
    return {"retrieved_representation": h, "attention_weights": a[:n]}
