# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    up = torch.promote_types(embedding.dtype, torch.float32)
    v = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(up)
    k = v / (v.square().mean(-1, keepdim=True) + eps).sqrt()
    logits = k @ pseudo_query.to(up)
    # one maximum for each row of the batch is enough
    peak = logits.amax(dim=(0, 2), keepdim=True)
    p = torch.exp(logits - peak)
    p = p / p.sum(0)
    p = p / p.sum(0)  # once more, against rounding
    h = (p.unsqueeze(-1) * v).sum(0)
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": p.to(embedding.dtype),
    }
