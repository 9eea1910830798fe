# verdict: runtime_error
# traps: zero_layers
"""Stacks a list of layer scores, and torch.stack takes no empty list."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def score(x):
        return (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)) @ pseudo_query

    layer_scores = torch.stack([score(layer) for layer in previous_outputs])  # <- mistake
    weights = torch.cat([score(embedding).unsqueeze(0), layer_scores]).softmax(dim=0)
    mixed = weights[0].unsqueeze(-1) * embedding
    mixed = mixed + (weights[1:].unsqueeze(-1) * previous_outputs).sum(0)
    return {"retrieved_representation": mixed, "attention_weights": weights}
