# verdict: wrong_answer
# traps: missing_embedding, normalized_values
"""Two mistakes at once: no embedding among the sources, and the keys mixed for the values."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    stacked = previous_outputs  # <- mistake
    keys = stacked * torch.rsqrt(stacked.square().mean(-1, keepdim=True) + eps)
    weights = (keys @ pseudo_query).softmax(0)
    return {
        "retrieved_representation": (weights.unsqueeze(-1) * keys).sum(0),  # <- mistake
        "attention_weights": weights,
    }
