# verdict: wrong_answer
# traps: swapped_outputs
"""The helper returns (weights, mix), the caller unpacks (mix, weights)."""
import torch


def read(v, w, eps):
    p = torch.softmax((v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)) @ w, dim=0)
    return p, torch.einsum("sbt,sbtd->btd", p, v)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    mixed, weights = read(torch.cat([embedding[None], previous_outputs]), pseudo_query, eps)  # <- mistake
    return {"retrieved_representation": mixed, "attention_weights": weights}
