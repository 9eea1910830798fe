# verdict: wrong_answer
# traps: normalized_sigmoid_weights
"""Sigmoid scores divided by their sum, as some routers do."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    experts = torch.cat([embedding.unsqueeze(0), previous_outputs])
    affinity = torch.sigmoid(F.rms_norm(experts, experts.shape[-1:], eps=eps) @ pseudo_query)  # <- mistake
    routing = affinity / affinity.sum(dim=0, keepdim=True)  # <- mistake
    return {
        "retrieved_representation": (routing.unsqueeze(-1) * experts).sum(dim=0),
        "attention_weights": routing,
    }
