# verdict: runtime_error | wrong_answer | not_loadable
"""The starter handed in as it was."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """Read from the embedding and all previous outputs."""
    raise NotImplementedError("your code here")
