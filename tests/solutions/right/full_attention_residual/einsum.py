# verdict: accepted
"""Both contractions as einsum, all sources in one tensor."""
import torch
from torch import einsum


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    V = torch.cat((embedding[None], previous_outputs))
    K = V * torch.rsqrt(V.pow(2).mean(-1, keepdim=True) + eps)
    alpha = einsum("d,sbtd->sbt", pseudo_query, K).softmax(0)
    return dict(
        retrieved_representation=einsum("sbt,sbtd->btd", alpha, V),
        attention_weights=alpha,
    )
