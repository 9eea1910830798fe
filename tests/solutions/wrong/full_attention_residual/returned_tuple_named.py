# verdict: wrong_answer
# traps: returned_tuple
"""A NamedTuple with the right field names is a tuple all the same."""
from typing import NamedTuple

import torch
from torch import Tensor


class Read(NamedTuple):
    retrieved_representation: Tensor
    attention_weights: Tensor


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax(k @ pseudo_query, dim=0)
    return Read((a.unsqueeze(-1) * v).sum(0), a)  # <- mistake
