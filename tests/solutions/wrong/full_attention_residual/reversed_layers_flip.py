# verdict: wrong_answer
# traps: reversed_layers
"""Puts the newest layer next to the embedding with torch.flip."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    layers = torch.flip(previous_outputs, dims=(0,))  # <- mistake
    bank = torch.cat([embedding.unsqueeze(0), layers], dim=0)
    mean_square = (bank * bank).mean(dim=-1)
    logits = torch.einsum("sbtd,d->sbt", bank / torch.sqrt(mean_square + eps)[..., None], pseudo_query)
    weights = torch.softmax(logits, dim=0)
    read = torch.einsum("sbt,sbtd->btd", weights, bank)
    return {"retrieved_representation": read, "attention_weights": weights}
