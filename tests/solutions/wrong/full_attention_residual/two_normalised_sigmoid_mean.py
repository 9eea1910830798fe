# verdict: wrong_answer
# traps: normalized_sigmoid_weights, mean_instead_of_sum
"""Sigmoids made to sum to one, and then a mean over the sources."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    src = torch.stack([embedding, *previous_outputs], dim=0)
    g = torch.sigmoid(F.rms_norm(src, src.shape[-1:], eps=eps).matmul(pseudo_query))  # <- mistake
    g = F.normalize(g, p=1.0, dim=0)  # <- mistake
    return {
        "retrieved_representation": src.mul(g.unsqueeze(-1)).mean(dim=0),  # <- mistake
        "attention_weights": g,
    }
