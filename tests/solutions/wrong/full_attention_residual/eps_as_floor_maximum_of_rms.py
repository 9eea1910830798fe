# verdict: wrong_answer
# traps: eps_as_floor
"""torch.maximum(rms, eps), as one guards a division."""
import torch


def safe_divide(numerator, denominator, smallest):
    floor = torch.full_like(denominator, smallest)
    return numerator / torch.maximum(denominator, floor)  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs])
    root_mean_square = (values * values).mean(-1).sqrt()
    logits = safe_divide(values @ pseudo_query, root_mean_square, eps)
    shifted = logits - logits.max(dim=0, keepdim=True).values
    weights = shifted.exp() / shifted.exp().sum(dim=0, keepdim=True)
    return {
        "retrieved_representation": (values * weights[..., None]).sum(0),
        "attention_weights": weights,
    }
