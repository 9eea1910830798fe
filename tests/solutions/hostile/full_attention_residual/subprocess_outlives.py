# verdict: wrong_answer
"""Starts another Python in a session of its own, named so that a test can look for it."""
import subprocess
import sys

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    try:
        subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(45)", "tensor-grader-leftover"],
            start_new_session=True,
            close_fds=False,
        )
    except Exception as error:
        print("no subprocess:", type(error).__name__)
    zeros = torch.zeros(previous_outputs.shape[0] + 1, *embedding.shape, dtype=embedding.dtype)
    return {"retrieved_representation": zeros[0], "attention_weights": zeros[..., 0]}
