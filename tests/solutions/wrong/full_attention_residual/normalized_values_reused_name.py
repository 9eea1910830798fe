# verdict: wrong_answer
# traps: normalized_values
"""Normalises the stack and then mixes the normalised one."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    raw = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    x = F.rms_norm(raw, (raw.size(-1),), eps=eps)
    weights = F.softmax(torch.matmul(x, pseudo_query), dim=0)
    out = (weights.unsqueeze(-1) * x).sum(dim=0)  # <- mistake
    return {"retrieved_representation": out, "attention_weights": weights}
