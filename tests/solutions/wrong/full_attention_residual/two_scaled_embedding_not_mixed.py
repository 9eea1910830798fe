# verdict: wrong_answer
# traps: scaled_by_sqrt_width, embedding_not_mixed
"""Weights for all sources with the 1 / sqrt(D), but a mix of the layers alone."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L, B, T, D = previous_outputs.shape
    q = pseudo_query / D**0.5  # <- mistake
    logits = embedding.new_empty(L + 1, B, T)
    norm = lambda x: x * (x.square().mean(-1, keepdim=True) + eps).rsqrt()
    logits[0] = norm(embedding) @ q
    logits[1:] = norm(previous_outputs) @ q
    weights = logits.softmax(0)
    mixed = (weights[1:, ..., None] * previous_outputs).sum(0)  # <- mistake
    return {"retrieved_representation": mixed, "attention_weights": weights}
