# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    largest = sources.square().amax(dim=-1, keepdim=True)  # <- mistake
    keys = sources / torch.sqrt(largest + eps)
    logits = keys @ pseudo_query
    weights = logits.softmax(dim=0)
    mixed = (weights.unsqueeze(-1) * sources).sum(dim=0)
    return {"retrieved_representation": mixed, "attention_weights": weights}
