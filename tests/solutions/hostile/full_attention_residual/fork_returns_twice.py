# verdict: wrong_answer | runtime_error
"""Forks, and both processes return from the call: two answers on one channel."""
import os

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    try:
        os.fork()
    except OSError:
        pass
    return {
        "retrieved_representation": torch.zeros_like(embedding),
        "attention_weights": embedding.new_zeros(len(previous_outputs) + 1, *embedding.shape[:2]),
    }
