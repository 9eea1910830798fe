# verdict: wrong_answer
"""Raises the weights to the second power to sharpen them, and does not divide again."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.stack((embedding, *previous_outputs))
    r = (v.pow(2).mean(-1) + eps).rsqrt()
    soft = torch.softmax(torch.einsum("sbtd,d->sbt", v, pseudo_query) * r, 0)
    sharp = soft.pow(2)  # <- mistake
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", sharp, v), "attention_weights": sharp}
