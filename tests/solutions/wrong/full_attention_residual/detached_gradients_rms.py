# verdict: wrong_answer
# traps: detached_gradients
"""Treats the RMS as a constant: right values, gradients of the sources slightly wrong."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding[None], previous_outputs])
    inv_rms = torch.rsqrt(v.detach().pow(2).mean(-1, keepdim=True) + eps)  # <- mistake
    a = ((v * inv_rms) * pseudo_query).sum(-1).softmax(0)
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", a, v), "attention_weights": a}
