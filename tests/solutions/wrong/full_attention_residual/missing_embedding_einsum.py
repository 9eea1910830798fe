# verdict: wrong_answer
# traps: missing_embedding
"""Attends over the layer outputs only; nothing is left to attend to without layers."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    V = previous_outputs  # <- mistake
    K = V * torch.rsqrt(V.pow(2).mean(-1, keepdim=True) + eps)
    logits = torch.einsum("d,sbtd->sbt", pseudo_query, K)
    alpha = logits.softmax(0)
    h = torch.einsum("sbt,sbtd->btd", alpha, V)
    return {"retrieved_representation": h, "attention_weights": alpha}
