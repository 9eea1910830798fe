# verdict: wrong_answer
# traps: embedding_not_mixed
"""The loop of the mix runs over the layers only; the embedding's weight is returned but not used."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    keys = sources / torch.sqrt(sources.square().mean(-1, keepdim=True) + eps)
    weights = torch.softmax(keys @ pseudo_query, dim=0)
    mixed = torch.zeros_like(embedding)
    for i in range(1, len(sources)):  # <- mistake
        mixed = mixed + weights[i].unsqueeze(-1) * sources[i]
    return {"retrieved_representation": mixed, "attention_weights": weights}
