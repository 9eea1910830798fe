# verdict: wrong_answer
# traps: swapped_outputs
"""Each tensor is returned under the name of the other."""
import torch

NAMES = ["retrieved_representation", "attention_weights"]


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs], 0)
    keys = values * torch.rsqrt(values.pow(2).mean(-1, keepdim=True) + eps)
    weights = torch.softmax((keys * pseudo_query).sum(-1), 0)
    mixed = (weights.unsqueeze(-1) * values).sum(0)
    return dict(zip(NAMES, [weights, mixed]))  # <- mistake
