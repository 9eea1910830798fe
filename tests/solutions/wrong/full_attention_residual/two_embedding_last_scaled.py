# verdict: wrong_answer
# traps: embedding_last, scaled_by_sqrt_width
"""Appends the embedding, and divides by the root of the head size."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([previous_outputs, embedding[None]], dim=0)  # <- mistake
    k = v * torch.rsqrt(v.pow(2).mean(-1, keepdim=True) + eps)
    head_size = k.size(-1)
    a = torch.softmax((k @ pseudo_query) * head_size**-0.5, dim=0)  # <- mistake
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", a, v), "attention_weights": a}
