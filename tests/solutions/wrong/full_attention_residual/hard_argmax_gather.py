# verdict: wrong_answer
# traps: hard_argmax
"""Picks the best source with gather, and scatters a one for its weight."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = sources * torch.rsqrt(sources.square().mean(-1, keepdim=True) + eps)
    winner = (keys @ pseudo_query).argmax(dim=0, keepdim=True)  # <- mistake
    index = winner.unsqueeze(-1).expand(1, *embedding.shape)
    chosen = torch.gather(sources, 0, index).squeeze(0)
    weights = torch.zeros_like(sources[..., 0]).scatter(0, winner, 1.0)
    return {"retrieved_representation": chosen, "attention_weights": weights}
