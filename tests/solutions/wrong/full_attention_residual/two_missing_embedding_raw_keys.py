# verdict: wrong_answer
# traps: missing_embedding, unnormalized_keys
"""The shortest form that runs: attend over previous_outputs as they are."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    out = previous_outputs  # <- mistake
    weights = (out @ pseudo_query).softmax(0)  # <- mistake
    return {"retrieved_representation": (weights[..., None] * out).sum(0), "attention_weights": weights}
