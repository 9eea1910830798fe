# verdict: wrong_answer
# traps: eps_as_floor
"""Keeps the mean square from becoming smaller than eps instead of adding eps to it."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    mean_square = v.square().mean(dim=-1, keepdim=True)
    k = v * mean_square.clamp(min=eps).rsqrt()  # <- mistake
    a = torch.softmax(torch.einsum("...d,d->...", k, pseudo_query), dim=0)
    return dict(
        attention_weights=a,
        retrieved_representation=torch.einsum("s...,s...d->...d", a, v),
    )
