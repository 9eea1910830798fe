# verdict: runtime_error | output_limit | memory_limit
"""An exception whose text is 50 MB long, with notes of another 50 MB."""


class Verbose(ValueError):
    def __str__(self):
        return "x" * 50_000_000


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    error = Verbose()
    error.__notes__ = ["n" * 5_000_000] * 10
    raise error
