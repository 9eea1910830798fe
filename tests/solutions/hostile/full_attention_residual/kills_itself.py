# verdict: runtime_error
"""SIGKILL to itself; raises where that has no effect (the first process of a pid namespace)."""
import os
import signal
import time


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.2)
    raise RuntimeError("still alive")
