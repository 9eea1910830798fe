# verdict: wrong_answer
"""eps a second time, in the denominator of the softmax, 'against a division by zero'."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    l = k @ pseudo_query
    e = torch.exp(l - l.max(dim=0, keepdim=True)[0])
    a = e / (e.sum(dim=0, keepdim=True) + eps)  # <- mistake
    h = (a.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h, "attention_weights": a}
