# verdict: wrong_answer
"""Adds eps squared under the root, so that it has the unit of the mean square."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    rms = (v.square().mean(-1) + eps**2).sqrt()  # <- mistake
    p = torch.softmax((v @ pseudo_query) / rms, dim=0)
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", p, v), "attention_weights": p}
