# verdict: wrong_answer
"""Starts the accumulator of the mix with the oldest layer output, as if it were a residual branch."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    candidates = (embedding,) + tuple(previous_outputs)
    scores = [c @ pseudo_query / (c.square().mean(-1) + eps).sqrt() for c in candidates]
    top = torch.stack(scores).amax(0)
    exps = [torch.exp(s - top) for s in scores]
    partition = sum(exps)

    out = torch.zeros_like(embedding)
    for first in previous_outputs[:1]:
        out = out + first  # <- mistake
    for e, c in zip(exps, candidates):
        out = out + (e / partition).unsqueeze(-1) * c
    return {"retrieved_representation": out, "attention_weights": torch.stack(exps) / partition}
