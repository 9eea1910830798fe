# verdict: wrong_answer
# traps: eps_outside_root, scaled_by_sqrt_width
import math

import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    D = sources.shape[-1]

    mean_square = sources.pow(2).mean(dim=-1, keepdim=True)
    keys = sources / (torch.sqrt(mean_square) + eps)  # <- mistake
    scores = torch.matmul(keys, pseudo_query) / math.sqrt(D)  # <- mistake
    attn = F.softmax(scores, dim=0)
    return {
        "retrieved_representation": (attn.unsqueeze(-1) * sources).sum(dim=0),
        "attention_weights": attn,
    }
