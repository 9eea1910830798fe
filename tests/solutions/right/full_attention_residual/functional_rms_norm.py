# verdict: accepted
"""Keys by F.rms_norm with the eps of the caller."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    d = embedding.size(-1)
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], 0)
    k = F.rms_norm(v, (d,), eps=eps)
    a = F.softmax(k @ pseudo_query, dim=0)
    h = (a.unsqueeze(-1) * v).sum(0)
    return {'retrieved_representation': h, 'attention_weights': a}
