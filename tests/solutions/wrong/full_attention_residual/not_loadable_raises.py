# verdict: not_loadable
"""An example at the bottom of the file raises while it is imported."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax(k @ pseudo_query, dim=0)
    return {"retrieved_representation": (a.unsqueeze(-1) * v).sum(0), "attention_weights": a}


example = full_attention_residual(torch.ones(2, 3, 4), torch.ones(5, 2, 3, 7), torch.ones(4))
