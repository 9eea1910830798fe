# verdict: memory_limit | runtime_error | time_limit | wrong_answer
"""Ten forked children of 600 MB each: every one of them below the limit, all together far above. They end after 20 seconds."""
import os
import signal
import time


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    for _ in range(10):
        try:
            if os.fork():
                continue
        except OSError:
            break
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(20)
        hoard = b"\x01" * 600_000_000
        time.sleep(20)
        os._exit(len(hoard) & 1)
    time.sleep(3)
    return {"retrieved_representation": embedding * 0, "attention_weights": previous_outputs}
