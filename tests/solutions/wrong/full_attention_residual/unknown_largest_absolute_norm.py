# verdict: wrong_answer
import torch


def scale_to_unit(x, eps):
    return x / (x.abs().amax(dim=-1, keepdim=True) + eps)  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    logits = scale_to_unit(sources, eps) @ pseudo_query
    weights = torch.softmax(logits, dim=0)
    out = (weights.unsqueeze(-1) * sources).sum(dim=0)
    return {"retrieved_representation": out, "attention_weights": weights}
