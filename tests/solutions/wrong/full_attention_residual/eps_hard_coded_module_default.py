# verdict: wrong_answer
# traps: eps_hard_coded
"""nn.RMSNorm without eps, which then takes the dtype's machine epsilon."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    norm = nn.RMSNorm(embedding.shape[-1], elementwise_affine=False)
    x = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    y = norm(x)  # <- mistake
    w = F.softmax((y * pseudo_query).sum(-1), dim=0)
    return {"retrieved_representation": (w.unsqueeze(-1) * x).sum(0), "attention_weights": w}
