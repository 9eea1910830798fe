# verdict: not_loadable
"""Writes to address 1 while it is imported."""
import ctypes

ctypes.memset(1, 0, 8)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return {}
