# verdict: accepted
"""The arithmetic compiled with torch.jit.script, which reads this file's source and warns that it is deprecated."""
from typing import Tuple

import torch
from torch import Tensor


@torch.jit.script
def _read(values: Tensor, query: Tensor, eps: float) -> Tuple[Tensor, Tensor]:
    keys = values * torch.rsqrt(torch.mean(values * values, dim=-1, keepdim=True) + eps)
    weights = torch.softmax(torch.matmul(keys, query), dim=0)
    return torch.sum(weights.unsqueeze(-1) * values, dim=0), weights


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    h, w = _read(torch.cat([embedding.unsqueeze(0), previous_outputs]), pseudo_query, float(eps))
    return {"retrieved_representation": h, "attention_weights": w}
