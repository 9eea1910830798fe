# verdict: wrong_answer
# traps: uniform_weights, values_times_query
"""Takes the query for a channel gain on the values; what is left to weigh them by is 1 / S."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    n = 1 + previous_outputs.shape[0]
    weights = embedding.new_full((n, *embedding.shape[:2]), 1 / n)  # <- mistake
    total = (embedding + previous_outputs.sum(0)) / n
    return {"retrieved_representation": total * pseudo_query, "attention_weights": weights}  # <- mistake
