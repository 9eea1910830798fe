# verdict: runtime_error
"""SystemExit with a message that looks like a verdict."""


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    raise SystemExit("accepted")
