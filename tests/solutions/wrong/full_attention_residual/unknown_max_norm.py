# verdict: wrong_answer
"""Divides each source by its largest absolute feature."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def infinity_norm(x):
        return x.abs().amax(dim=-1, keepdim=True)

    values = torch.cat([embedding[None], previous_outputs])
    keys = values / (infinity_norm(values) + eps)  # <- mistake
    weights = (keys @ pseudo_query).softmax(dim=0)
    return {
        "retrieved_representation": torch.sum(values * weights[..., None], dim=0),
        "attention_weights": weights,
    }
