# verdict: wrong_answer
# traps: unnormalized_keys, softmax_over_everything
"""Raw products, and a softmax of the flattened tensor."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    flat = torch.einsum("sbtd,d->sbt", sources, pseudo_query).reshape(-1)  # <- mistake
    top = flat.max()
    p = torch.exp(flat - top)
    weights = (p / p.sum()).reshape(sources.shape[:3])  # <- mistake
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", weights, sources),
        "attention_weights": weights,
    }
