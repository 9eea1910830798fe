# verdict: wrong_answer
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    width = pseudo_query.shape[0]
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    keys = F.rms_norm(sources, (width,), weight=pseudo_query, eps=eps)  # <- mistake
    logits = F.linear(keys, pseudo_query.unsqueeze(0)).squeeze(-1)
    weights = F.softmax(logits, dim=0)
    return {
        "retrieved_representation": (weights.unsqueeze(-1) * sources).sum(0),
        "attention_weights": weights,
    }
