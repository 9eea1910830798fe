# verdict: accepted
"""The asked-for name is assigned to a function defined under another one."""
import torch


def _impl(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    y = x / x.pow(2).mean(dim=-1, keepdim=True).add(eps).sqrt()
    z = torch.softmax(y @ pseudo_query, dim=0)
    return {"retrieved_representation": (z.unsqueeze(-1) * x).sum(dim=0), "attention_weights": z}


full_attention_residual = _impl
