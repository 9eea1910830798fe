# verdict: runtime_error
"""Reads address 0 through ctypes."""
import ctypes


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return ctypes.string_at(0)
