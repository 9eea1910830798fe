# verdict: runtime_error
"""os.abort, as a failed assertion in C does."""
import os


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    os.abort()
