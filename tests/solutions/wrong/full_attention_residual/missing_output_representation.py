# verdict: wrong_answer
# traps: missing_output
"""Gives the weights alone; the mix is left to the caller."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = sources * torch.rsqrt(sources.square().mean(-1, keepdim=True) + eps)
    return {"attention_weights": torch.softmax(keys @ pseudo_query, dim=0)}  # <- mistake
