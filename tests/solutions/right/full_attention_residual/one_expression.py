# verdict: accepted
"""Everything in one expression on one very long line."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return (lambda v: (lambda a: {"retrieved_representation": (a.unsqueeze(-1) * v).sum(0), "attention_weights": a})(torch.softmax(torch.sum(v / torch.sqrt(torch.mean(v * v, dim=-1, keepdim=True) + eps) * pseudo_query, dim=-1), dim=0)))(torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0))
