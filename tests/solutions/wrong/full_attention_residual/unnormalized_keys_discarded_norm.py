# verdict: wrong_answer
# traps: unnormalized_keys
"""Computes the norm of every source and then scores the source itself: the result of the call is lost."""
import torch
from torch.nn.functional import rms_norm


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    scores = []
    for state in [embedding, *previous_outputs]:
        rms_norm(state, (state.shape[-1],), eps=eps)
        scores.append((state * pseudo_query).sum(dim=-1))  # <- mistake
    weights = torch.softmax(torch.stack(scores), dim=0)
    mixed = weights[0].unsqueeze(-1) * embedding
    for weight, state in zip(weights[1:], previous_outputs):
        mixed = mixed + weight.unsqueeze(-1) * state
    return {"retrieved_representation": mixed, "attention_weights": weights}
