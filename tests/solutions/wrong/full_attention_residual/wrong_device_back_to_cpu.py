# verdict: wrong_answer | runtime_error
# traps: wrong_device
"""Moves the weights to the CPU before returning them."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.cat([embedding[None], previous_outputs])
    w = torch.softmax(torch.nn.functional.rms_norm(x, x.shape[-1:], eps=eps) @ pseudo_query, dim=0)
    return {
        "retrieved_representation": torch.einsum("sbt,sbtd->btd", w, x),
        "attention_weights": w.to(device="cpu"),  # <- mistake
    }
