# verdict: wrong_answer
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    C = x.size(-1)
    k = F.rms_norm(x, (C,), eps=eps)
    att = (k @ pseudo_query) * C**0.5  # <- mistake
    att = F.softmax(att, dim=0)
    y = (att.unsqueeze(-1) * x).sum(dim=0)
    return {"retrieved_representation": y, "attention_weights": att}
