# verdict: memory_limit | runtime_error | wrong_answer
"""Up to 4 GB in anonymous memory files, which no process's RSS shows; takes what it gets and returns zeros."""
import os

import torch

files = []


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    block = b"\xaa" * (1 << 20)
    try:
        while len(files) < 64:
            fd = os.memfd_create(f"cache-{len(files)}")
            files.append(fd)
            for _ in range(64):
                os.write(fd, block)
    except OSError as error:
        print(f"{len(files)} files, then {error.strerror}")
    return {
        "retrieved_representation": torch.zeros_like(embedding),
        "attention_weights": embedding.new_zeros(len(previous_outputs) + 1, *embedding.shape[:2]),
    }
