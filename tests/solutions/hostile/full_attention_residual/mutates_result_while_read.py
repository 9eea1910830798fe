# verdict: wrong_answer | runtime_error
"""A thread adds keys to the result and resizes its tensors all the while, to catch an encoder in the middle."""
import threading
import time

import torch


def churn(result):
    end = time.monotonic() + 10
    n = 0
    while time.monotonic() < end:
        n += 1
        result[f"extra_{n % 50}"] = result["retrieved_representation"]
        result.pop(f"extra_{(n + 25) % 50}", None)
        result["retrieved_representation"].resize_(n % 64 + 1)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    result = {
        "retrieved_representation": torch.zeros(embedding.shape, dtype=embedding.dtype),
        "attention_weights": torch.zeros(len(previous_outputs) + 1, *embedding.shape[:2], dtype=embedding.dtype),
    }
    threading.Thread(target=churn, args=(result,), daemon=True).start()
    return result
