# verdict: wrong_answer | runtime_error
# traps: mutated_inputs
"""Normalises in place what it takes for copies: iterating over a tensor gives views of it."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = [embedding.clone()] + [layer for layer in previous_outputs]
    logits = []
    for key in keys:
        key /= torch.sqrt(key.square().mean(-1, keepdim=True) + eps)  # <- mistake
        logits.append(key @ pseudo_query)
    alpha = torch.stack(logits).softmax(dim=0)
    return {
        "retrieved_representation": (alpha.unsqueeze(-1) * values).sum(dim=0),
        "attention_weights": alpha,
    }
