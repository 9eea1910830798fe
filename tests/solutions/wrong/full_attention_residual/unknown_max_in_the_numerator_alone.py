# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = torch.promote_types(embedding.dtype, torch.float32)
    vals = torch.cat([embedding[None], previous_outputs]).to(dtype)
    keys = vals / torch.sqrt((vals * vals).mean(-1, keepdim=True) + eps)
    logits = keys @ pseudo_query.to(dtype)
    biggest = logits.max(dim=0, keepdim=True).values
    top = torch.exp(logits - biggest)
    bottom = torch.exp(logits).sum(dim=0, keepdim=True)  # <- mistake
    weights = top / bottom
    mixed = (weights[..., None] * vals).sum(0)
    return {
        "retrieved_representation": mixed.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
