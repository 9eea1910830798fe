# verdict: wrong_answer
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    feature_attention = F.softmax(pseudo_query, dim=0)  # <- mistake
    keys = F.rms_norm(sources, [sources.shape[-1]], eps=eps)
    logits = torch.sum(keys * feature_attention, dim=-1)
    weights = F.softmax(logits, dim=0)
    mixed = torch.sum(weights[..., None] * sources, dim=0)
    return {"retrieved_representation": mixed, "attention_weights": weights}
