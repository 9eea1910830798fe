# verdict: time_limit | runtime_error | memory_limit | wrong_answer
"""Doubles itself nine times. Every process has an alarm of 20 seconds, so that an unprotected machine survives."""
import os
import signal
import time


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    first = os.getpid()
    for _ in range(9):
        try:
            os.fork()
        except OSError:
            pass
        signal.alarm(20)  # not inherited
    time.sleep(30)
    if os.getpid() != first:
        os._exit(0)
    return {"retrieved_representation": embedding * 0, "attention_weights": previous_outputs}
