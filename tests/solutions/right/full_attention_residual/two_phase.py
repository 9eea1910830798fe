# verdict: accepted
"""The two phases of Algorithm 1: read everything but the newest source, then merge that one in."""
import torch


def _logit(v, w, eps):
    return (v / torch.sqrt(v.pow(2).mean(-1, keepdim=True) + eps) * w).sum(-1)


def _phase_one(finished, w, eps):
    """Unnormalised mix o, maximum m, sum z and the logits; an empty read is o=0, m=-inf, z=0."""
    logits = _logit(finished, w, eps)
    if len(finished) == 0:
        nothing = finished.new_zeros(finished.shape[1:])
        return nothing, nothing[..., 0] - float("inf"), nothing[..., 0], logits
    m = logits.amax(0)
    p = torch.exp(logits - m)
    return (p.unsqueeze(-1) * finished).sum(0), m, p.sum(0), logits


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    finished, newest = sources[:-1], sources[-1]

    o, m, z, logits = _phase_one(finished, pseudo_query, eps)

    l = _logit(newest, pseudo_query, eps)
    M = torch.maximum(m, l)
    old, new = torch.exp(m - M), torch.exp(l - M)
    denominator = old * z + new
    h = (old[..., None] * o + new[..., None] * newest) / denominator[..., None]

    weights = torch.exp(torch.cat([logits, l.unsqueeze(0)]) - M) / denominator
    return {"retrieved_representation": h, "attention_weights": weights}
