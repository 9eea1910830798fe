# verdict: time_limit
"""Stops every clock Python has and then takes as long as it likes."""
import time

started = time.time()
for name in ("time", "perf_counter", "monotonic", "process_time", "thread_time"):
    setattr(time, name, lambda: started)
    setattr(time, name + "_ns", lambda: int(started * 1e9))
time.clock_gettime = lambda clock: started


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = embedding
    while time.perf_counter() - started < 1:
        x = x * 1.0
    return {"retrieved_representation": x, "attention_weights": x}
