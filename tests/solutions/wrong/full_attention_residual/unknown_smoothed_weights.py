# verdict: wrong_answer
"""Label smoothing on the weights: a tenth of the mass is spread evenly."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    a = ((v * (v.square().mean(-1, keepdim=True) + eps).rsqrt()) @ pseudo_query).softmax(0)
    a = torch.lerp(a, torch.full_like(a, 1 / len(v)), 0.1)  # <- mistake
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", a, v), "attention_weights": a}
