# verdict: time_limit
"""Sleeps, which a limit on CPU time alone never sees."""
import time


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    for _ in range(1_000_000):
        time.sleep(1)
