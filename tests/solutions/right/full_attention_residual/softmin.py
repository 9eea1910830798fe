# verdict: accepted
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    d = embedding.shape[-1]
    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    logits = F.linear(F.rms_norm(v, (d,), eps=eps), pseudo_query[None, :])
    weights = F.softmin(-logits, dim=0)
    h = (weights * v).sum(dim=0)
    return {"retrieved_representation": h, "attention_weights": weights[..., 0]}
