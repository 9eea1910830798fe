# verdict: wrong_answer
# traps: last_source_only
"""The state of a network without skip connections: the newest output, with weight one."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    depth = previous_outputs.shape[0]
    newest = previous_outputs[depth - 1] if depth else embedding  # <- mistake
    weights = embedding.new_zeros(depth + 1, *embedding.shape[:2])
    weights[depth] = 1
    return {"retrieved_representation": newest, "attention_weights": weights}
