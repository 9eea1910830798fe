# verdict: wrong_answer
# traps: returned_tuple
"""Returns (h, weights), as nn.MultiheadAttention would."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax(k @ pseudo_query, dim=0)
    h = (a.unsqueeze(-1) * v).sum(0)
    return h, a  # <- mistake
