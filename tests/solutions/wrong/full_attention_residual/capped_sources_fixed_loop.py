# verdict: wrong_answer
# traps: capped_sources
"""A loop over at most MAX_SOURCES slots, which no network was thought to exceed."""
import torch

MAX_SOURCES = 32


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    slots = []
    for i in range(MAX_SOURCES):  # <- mistake
        if i == 0:
            slots.append(embedding)
        elif i <= len(previous_outputs):
            slots.append(previous_outputs[i - 1])
    values = torch.stack(slots, dim=2)  # (B, T, S, D)
    keys = values / torch.sqrt(values.square().mean(-1, keepdim=True) + eps)
    weights = torch.softmax(keys @ pseudo_query, dim=2)
    mixed = torch.matmul(weights.unsqueeze(2), values).squeeze(2)
    return {"retrieved_representation": mixed, "attention_weights": weights.permute(2, 0, 1)}
