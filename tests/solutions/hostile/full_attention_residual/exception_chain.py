# verdict: runtime_error | time_limit
"""An exception with 20,000 causes, the last of which is caused by the first."""


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    first = last = ValueError("cause 0")
    for i in range(1, 20_000):
        error = ValueError(f"cause {i}")
        error.__cause__ = last
        error.__context__ = last
        last = error
    first.__cause__ = last
    raise last
