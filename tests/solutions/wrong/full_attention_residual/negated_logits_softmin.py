# verdict: wrong_answer
# traps: negated_logits
"""F.softmin, chosen as if the scores were distances."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    candidates = torch.cat([embedding.unsqueeze(0), previous_outputs])
    distances = F.rms_norm(candidates, candidates.shape[-1:], eps=eps) @ pseudo_query
    weights = F.softmin(distances, dim=0)  # <- mistake
    return {
        "retrieved_representation": (candidates * weights.unsqueeze(-1)).sum(0),
        "attention_weights": weights,
    }
