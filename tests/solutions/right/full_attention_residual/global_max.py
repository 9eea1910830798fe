# verdict: accepted
"""A softmax by hand that shifts by one maximum for the whole tensor instead of one for each token."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    # half precision has too little range left below a shared maximum
    v = v.to(torch.promote_types(dtype, torch.float32))
    q = pseudo_query.to(v.dtype)

    k = v / torch.sqrt((v ** 2).mean(-1, keepdim=True) + eps)
    s = (k * q).sum(-1)
    e = torch.exp(s - s.detach().max())
    a = e / e.sum(dim=0, keepdim=True)
    h = (a.unsqueeze(-1) * v).sum(dim=0)

    return {"retrieved_representation": h.to(dtype), "attention_weights": a.to(dtype)}
