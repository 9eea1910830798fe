# verdict: wrong_answer | output_limit | memory_limit
"""One number expanded to 3 GB: nothing to hold, much to encode."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    zero = torch.zeros(1, dtype=torch.float32)
    return {
        "retrieved_representation": zero.expand(800, 1000, 1000),
        "attention_weights": zero.expand(1, 1, 2**60),
    }
