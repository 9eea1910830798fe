# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """Flash style: one pass over the sources with a running maximum."""

    def logit(x):
        return (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)) @ pseudo_query

    sources = [embedding, *previous_outputs]
    logits = [logit(x) for x in sources]

    # start from the newest source, so that the first maximum is a good one
    m = logits[-1]
    z = torch.ones_like(m)
    acc = sources[-1]
    for x, l in zip(sources, logits):  # <- mistake
        new_m = torch.maximum(m, l)
        old, cur = torch.exp(m - new_m), torch.exp(l - new_m)
        z = z * old + cur
        acc = acc * old[..., None] + x * cur[..., None]
        m = new_m
    weights = torch.stack([torch.exp(l - m) / z for l in logits])
    return {"retrieved_representation": acc / z[..., None], "attention_weights": weights}
