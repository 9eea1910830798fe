# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """One pass over depth with a running maximum, like a flash kernel."""
    dt = torch.promote_types(embedding.dtype, torch.float32)
    w = pseudo_query.to(dt)

    running_max = torch.full_like(embedding[..., 0], float("-inf"), dtype=dt)
    running_sum = torch.zeros_like(running_max)
    acc = torch.zeros_like(embedding, dtype=dt)
    logits = []
    for x in (embedding, *previous_outputs):
        x = x.to(dt)
        logit = (x * w).sum(-1) / torch.sqrt(x.pow(2).mean(-1) + eps)
        new_max = torch.maximum(running_max, logit).detach()
        fix = torch.exp(running_max - new_max)
        p = torch.exp(logit - new_max)
        running_sum = running_sum * fix + p
        acc = acc * fix[..., None] + p[..., None] * x
        running_max = new_max
        logits.append(logit)
    h = acc / running_sum[..., None]
    weights = torch.stack([torch.exp(l - running_max) / running_sum for l in logits])
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
