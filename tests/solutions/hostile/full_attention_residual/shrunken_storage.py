# verdict: wrong_answer | runtime_error
"""Results of the right shape whose storage was cut to a few bytes: encoding them reads past its end."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    h = torch.zeros(embedding.shape, dtype=embedding.dtype)
    a = torch.zeros(len(previous_outputs) + 1, *embedding.shape[:2], dtype=embedding.dtype)
    h.untyped_storage().resize_(4)
    a.untyped_storage().resize_(0)
    return {"retrieved_representation": h, "attention_weights": a}
