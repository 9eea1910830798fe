# verdict: wrong_answer
# traps: norm_over_sources
"""vmap over batch and token; inside, one norm for the whole (S, D) matrix of a token."""
import torch
from torch.func import vmap


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def read_one_token(matrix):  # (S, D)
        normed = matrix * torch.rsqrt(matrix.square().mean() + eps)  # <- mistake
        alpha = torch.softmax(normed @ pseudo_query, dim=0)
        return alpha @ matrix, alpha

    stacked = torch.cat([embedding.unsqueeze(0), previous_outputs]).permute(1, 2, 0, 3)
    read, alpha = vmap(vmap(read_one_token))(stacked)
    return {"retrieved_representation": read, "attention_weights": alpha.permute(2, 0, 1)}
