# verdict: wrong_answer
"""Starts a thread that is not a daemon: an ordinary interpreter exit waits for it."""
import threading

import torch

never = threading.Event()


class Worker(threading.Thread):
    def run(self):
        never.wait(120)


Worker().start()


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    Worker().start()
    S = previous_outputs.size(0) + 1
    weights = torch.zeros(S, *embedding.shape[:2], dtype=embedding.dtype, device=embedding.device)
    return dict(retrieved_representation=embedding - embedding, attention_weights=weights)
