# verdict: runtime_error
"""A misspelt variable in the last line: NameError in every case."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = values / torch.sqrt(values.square().mean(-1, keepdim=True) + eps)
    weights = torch.softmax(keys @ pseudo_query, dim=0)
    retrieved = (weights.unsqueeze(-1) * values).sum(0)
    return {"retrieved_representation": retreived, "attention_weights": weights}  # noqa: F821
