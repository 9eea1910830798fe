# verdict: accepted
"""The sources and the result as dict comprehensions."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = {0: embedding, **{i: f for i, f in enumerate(previous_outputs, start=1)}}
    keys = {i: v / (v.square().mean(-1, keepdim=True) + eps).sqrt() for i, v in values.items()}
    logits = {i: k @ pseudo_query for i, k in keys.items()}
    alpha = torch.stack([logits[i] for i in sorted(logits)]).softmax(0)
    pieces = {i: alpha[i, ..., None] * values[i] for i in values}
    parts = {"retrieved_representation": sum(pieces.values()), "attention_weights": alpha}
    return {name: tensor for name, tensor in parts.items() if tensor is not None}
