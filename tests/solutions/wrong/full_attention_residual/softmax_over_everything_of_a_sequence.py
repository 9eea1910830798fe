# verdict: wrong_answer
# traps: softmax_over_everything
"""One distribution for a sequence, over sources and tokens together, by a logsumexp over two axes."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding[None], previous_outputs])
    keys = sources * (sources.square().mean(-1, keepdim=True) + eps) ** -0.5
    scores = torch.einsum("sbtd,d->sbt", keys, pseudo_query)
    weights = torch.exp(scores - torch.logsumexp(scores, dim=(0, 2), keepdim=True))  # <- mistake
    mixed = (weights[..., None] * sources).sum(0)
    return {"retrieved_representation": mixed, "attention_weights": weights}
