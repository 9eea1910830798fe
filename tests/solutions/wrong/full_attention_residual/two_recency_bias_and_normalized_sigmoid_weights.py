# verdict: wrong_answer
# traps: recency_bias, normalized_sigmoid_weights
"""Gates that are divided by their sum, and a head start of one half for the newest source."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    states = torch.cat([embedding.unsqueeze(0), previous_outputs])
    scores = torch.nn.functional.rms_norm(states, states.shape[-1:], eps=eps) @ pseudo_query
    scores = torch.cat([scores[:-1], scores[-1:] + 0.5])  # <- mistake
    gates = torch.sigmoid(scores)
    weights = gates / gates.sum(dim=0)  # <- mistake
    return {
        "retrieved_representation": (weights.unsqueeze(-1) * states).sum(dim=0),
        "attention_weights": weights,
    }
