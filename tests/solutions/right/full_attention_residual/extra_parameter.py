# verdict: accepted
"""One more parameter than asked for, with a default."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6, depth_dim=0):
    """depth_dim: axis of `previous_outputs` that runs over the layers."""
    layers = previous_outputs.movedim(depth_dim, 0)
    stack = torch.cat([embedding.unsqueeze(0), layers], 0)
    ms = (stack * stack).mean(-1, keepdim=True)
    logits = ((stack / (ms + eps).sqrt()) * pseudo_query).sum(-1)
    p = logits.softmax(0)
    return {
        "retrieved_representation": torch.sum(p.unsqueeze(-1) * stack, 0),
        "attention_weights": p,
    }
