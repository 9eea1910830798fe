# verdict: wrong_answer
# traps: embedding_added
"""The result is embedding + read, 'a residual after all'."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat([embedding.unsqueeze(0), previous_outputs])
    a = F.softmax(F.rms_norm(x, x.shape[-1:], eps=eps) @ pseudo_query, dim=0)
    residual = embedding
    out = residual + (a.unsqueeze(-1) * x).sum(0)  # <- mistake
    return {"retrieved_representation": out, "attention_weights": a}
