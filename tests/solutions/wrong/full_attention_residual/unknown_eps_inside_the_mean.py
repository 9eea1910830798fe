# verdict: wrong_answer
"""Adds eps to the sum of squares before the division by the width, which makes it D times smaller."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    D = embedding.size(-1)
    x = torch.stack([embedding, *previous_outputs])
    sum_of_squares = torch.einsum("sbtd,sbtd->sbt", x, x)
    logits = x.matmul(pseudo_query) * ((sum_of_squares + eps) / D).rsqrt()  # <- mistake
    w = logits.softmax(0)
    return {"retrieved_representation": (w.unsqueeze(-1) * x).sum(0), "attention_weights": w}
