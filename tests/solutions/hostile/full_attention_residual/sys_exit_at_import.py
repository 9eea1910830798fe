# verdict: not_loadable
"""sys.exit(0) while it is imported."""
import sys

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return torch.zeros_like(embedding)


print("all tests passed")
sys.exit(0)
