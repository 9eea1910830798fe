# verdict: wrong_answer
# traps: double_softmax
"""The helper already returns probabilities and the caller applies softmax once more."""

import torch


def depth_attention(sources, query, eps):
    keys = sources * (sources.square().mean(-1, keepdim=True) + eps).rsqrt()
    return torch.softmax(keys @ query, dim=0)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    scores = depth_attention(sources, pseudo_query, eps)
    weights = torch.softmax(scores, dim=0)  # <- mistake
    mixed = torch.einsum("sbt,sbtd->btd", weights, sources)
    return {"retrieved_representation": mixed, "attention_weights": weights}
