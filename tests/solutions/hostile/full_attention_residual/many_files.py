# verdict: wrong_answer | runtime_error
"""Opens files until no descriptor is left, in the call; then returns zeros, whose encoding must not need a new one."""
import os

import torch

opened = []


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    try:
        while len(opened) < 100_000:
            opened.append(os.dup(0) if len(opened) % 2 else os.pipe())
    except OSError as error:
        print(len(opened), error.strerror)
    return {
        "retrieved_representation": torch.zeros_like(embedding),
        "attention_weights": embedding.new_zeros(len(previous_outputs) + 1, *embedding.shape[:2]),
    }
