# verdict: runtime_error | time_limit
"""The text of its exception takes for ever."""


class Slow(Exception):
    def __str__(self):
        n = 0
        while True:
            n += 1

    __repr__ = __str__


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    raise Slow
