# verdict: runtime_error | memory_limit | time_limit
"""Writes 10 GB into the temporary folder."""
import os
import tempfile

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    path = os.path.join(tempfile.mkdtemp(), "checkpoint.bin")
    block = os.urandom(1 << 20)
    with open(path, "wb", buffering=0) as file:
        for _ in range(10 * 1024):
            file.write(block)
    return {"retrieved_representation": torch.load(path), "attention_weights": embedding}
