# verdict: wrong_answer
"""Sorts the sources of each token by their size; the mix is right, the weights are in that order."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    mean_square = v.square().mean(-1)
    order = mean_square.argsort(dim=0, descending=True)  # <- mistake
    ms = mean_square.gather(0, order)
    v = v.gather(0, order.unsqueeze(-1).expand_as(v))
    a = ((v @ pseudo_query) / torch.sqrt(ms + eps)).softmax(0)
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", a, v), "attention_weights": a}
