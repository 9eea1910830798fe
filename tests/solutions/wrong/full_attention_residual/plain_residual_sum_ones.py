# verdict: wrong_answer
# traps: plain_residual_sum
"""h = e + f1 + ... + fL, as the statement's first formula has it, with weight one for all."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    h = embedding
    for f in previous_outputs:
        h = h + f  # <- mistake
    ones = torch.ones_like(embedding[..., 0])
    return {
        "retrieved_representation": h,
        "attention_weights": torch.stack([ones] * (1 + len(previous_outputs))),
    }
