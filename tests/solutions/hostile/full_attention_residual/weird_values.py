# verdict: wrong_answer | runtime_error | output_limit
"""Values that JSON takes badly: a 10-million-digit integer, 1e999, NaN, lone surrogates, and an object that pickles into code."""
import os


class Reducer:
    def __reduce__(self):
        return os.system, ("echo tensor-grader-canary",)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return {
        "retrieved_representation": [1 << 33_000_000, float("inf"), float("nan"), -0.0, "\udfff"],
        "attention_weights": Reducer(),
    }
