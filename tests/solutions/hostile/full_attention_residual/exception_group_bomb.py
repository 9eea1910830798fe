# verdict: runtime_error | output_limit | time_limit
"""Nested exception groups that share their members: a short object whose full text has 2**40 lines."""


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    error = ValueError("leaf")
    for depth in range(40):
        error = ExceptionGroup(f"level {depth}", [error, error])
    raise error
