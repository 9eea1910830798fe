# verdict: wrong_answer
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    d_model = embedding.shape[-1]
    scaled_embedding = embedding * d_model**0.5  # <- mistake
    h = torch.cat([scaled_embedding.unsqueeze(0), previous_outputs], dim=0)
    logits = F.rms_norm(h, (d_model,), eps=eps) @ pseudo_query
    attn = F.softmax(logits, dim=0)
    out = (attn.unsqueeze(-1) * h).sum(dim=0)
    return {"retrieved_representation": out, "attention_weights": attn}
