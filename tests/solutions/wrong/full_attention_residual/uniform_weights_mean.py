# verdict: wrong_answer
# traps: uniform_weights
"""The plain mean of the sources, which is where training starts; the query is not used."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    count = sources.shape[0]
    weights = torch.ones_like(sources[..., 0]) / count  # <- mistake
    return {"retrieved_representation": sources.mean(dim=0), "attention_weights": weights}
