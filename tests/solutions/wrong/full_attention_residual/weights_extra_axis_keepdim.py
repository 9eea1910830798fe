# verdict: wrong_answer
# traps: weights_extra_axis
"""keepdim=True in the dot product leaves a trailing axis of size 1 on the weights."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    k = v / torch.sqrt(v.pow(2).mean(dim=-1, keepdim=True) + eps)
    s = torch.sum(k * pseudo_query, dim=-1, keepdim=True)
    a = torch.softmax(s, dim=0)
    h = torch.sum(a * v, dim=0)
    return {"retrieved_representation": h, "attention_weights": a}  # <- mistake
