# verdict: wrong_answer
# traps: phantom_zero_source
"""A preallocated buffer with one row to spare; the empty row takes part in the softmax."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L, B, T, D = previous_outputs.shape
    buffer = embedding.new_zeros(L + 2, B, T, D)  # <- mistake
    buffer[0] = embedding
    buffer[1 : L + 1] = previous_outputs
    keys = buffer / torch.sqrt(buffer.square().mean(-1, keepdim=True) + eps)
    weights = torch.softmax(keys @ pseudo_query, dim=0)
    mixed = (weights.unsqueeze(-1) * buffer).sum(0)
    return {"retrieved_representation": mixed, "attention_weights": weights[: L + 1]}
