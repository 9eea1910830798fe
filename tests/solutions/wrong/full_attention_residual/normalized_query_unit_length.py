# verdict: wrong_answer
# traps: normalized_query
"""A unit vector for the query, as a direction to project on."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    direction = F.normalize(pseudo_query, dim=0)  # <- mistake
    states = torch.stack((embedding, *previous_outputs))
    projected = F.rms_norm(states, states.shape[-1:], eps=eps) @ direction
    weights = F.softmax(projected, 0)
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", weights, states),
        "attention_weights": weights,
    }
