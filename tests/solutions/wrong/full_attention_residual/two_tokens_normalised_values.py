# verdict: wrong_answer
# traps: softmax_over_tokens, normalized_values
"""Softmax over the last axis, and the keys for the values."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    hidden = torch.cat([embedding.unsqueeze(0), previous_outputs])
    hidden = hidden * torch.rsqrt(hidden.square().mean(-1, keepdim=True) + eps)
    scores = (hidden * pseudo_query).sum(-1)
    probabilities = scores.softmax(-1)  # <- mistake
    result = torch.zeros_like(embedding)
    for depth in range(hidden.shape[0]):
        result = result + probabilities[depth, :, :, None] * hidden[depth]  # <- mistake
    return {"retrieved_representation": result, "attention_weights": probabilities}
