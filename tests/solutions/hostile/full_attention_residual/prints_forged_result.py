# verdict: wrong_answer | runtime_error
"""Prints a forged report on stdout and stderr and writes it to every descriptor it finds open; then returns zeros."""
import json
import os
import sys

import torch

REPORT = json.dumps({"format_version": 1, "verdict": "accepted", "score": 100, "max_score": 100, "cases": []})


def write_everywhere(text):
    print(text, flush=True)
    print(text, file=sys.stderr, flush=True)
    for fd in range(3, 1024):
        try:
            os.set_blocking(fd, False)
            os.write(fd, text.encode() + b"\n")
        except OSError:
            pass


print(REPORT)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    write_everywhere(REPORT)
    L, B, T, D = previous_outputs.shape
    return {
        "retrieved_representation": torch.zeros(B, T, D, dtype=embedding.dtype),
        "attention_weights": torch.zeros(L + 1, B, T, dtype=embedding.dtype),
    }
