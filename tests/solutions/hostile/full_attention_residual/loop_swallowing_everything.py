# verdict: time_limit
"""Catches every exception for ever, so that a time-out raised inside the process has no effect."""


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    while True:
        try:
            while True:
                sum(range(1000))
        except BaseException:
            pass
