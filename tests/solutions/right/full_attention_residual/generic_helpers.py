# verdict: accepted
import torch


def normalize(x, axis=-1, center=False, eps=1e-6, gain=None):
    """LayerNorm or RMSNorm, as asked."""
    if center:
        x = x - x.mean(axis, keepdim=True)
    y = x / torch.sqrt(x.square().mean(axis, keepdim=True) + eps)
    return y if gain is None else y * gain


def softmax(x, axis, temperature=1.0):
    x = x / temperature
    e = torch.exp(x - x.amax(axis, keepdim=True))
    return e / e.sum(axis, keepdim=True)


def attend(q, k, v, axis=0, scale=None):
    logits = (k * q).sum(-1)
    if scale is not None:
        logits = logits * scale
    p = softmax(logits, axis)
    return (p.unsqueeze(-1) * v).sum(axis), p


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], 0)
    h, p = attend(pseudo_query, normalize(v, eps=eps), v)
    return {"retrieved_representation": h, "attention_weights": p}
