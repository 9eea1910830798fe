# verdict: wrong_answer
"""Turns the factor of scaled attention round: times the root of the width."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    wide = torch.promote_types(embedding.dtype, torch.float32)
    x = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(wide)
    k = torch.nn.functional.rms_norm(x, x.shape[-1:], eps=eps)
    logits = (k @ pseudo_query.to(wide)) * x.shape[-1] ** 0.5  # <- mistake
    a = torch.softmax(logits, dim=0)
    h = torch.einsum("sbt,sbtd->btd", a, x)
    return {"retrieved_representation": h.to(embedding.dtype), "attention_weights": a.to(embedding.dtype)}
