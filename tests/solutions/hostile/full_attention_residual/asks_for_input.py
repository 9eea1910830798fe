# verdict: runtime_error
"""Waits for the keyboard."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dim = int(input("softmax over which axis? "))
    weights = torch.softmax(previous_outputs, dim)
    return {"retrieved_representation": weights.sum(0), "attention_weights": weights}
