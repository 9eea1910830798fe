# verdict: accepted
"""torch.stack over unbound layers; the weighted sum by broadcasting."""

import torch


def full_attention_residual(
    embedding: torch.Tensor,
    previous_outputs: torch.Tensor,
    pseudo_query: torch.Tensor,
    eps: float = 1e-6,
) -> dict[str, torch.Tensor]:
    """Softmax over depth: every token picks among the embedding and all earlier outputs."""
    values = torch.stack([embedding, *previous_outputs.unbind(0)], dim=0)
    mean_square = values.square().mean(dim=-1, keepdim=True)
    keys = values / (mean_square + eps).sqrt()
    scores = torch.sum(keys * pseudo_query, dim=-1)
    weights = torch.softmax(scores, dim=0)
    mixed = torch.sum(weights[..., None] * values, dim=0)
    return {"attention_weights": weights, "retrieved_representation": mixed}
