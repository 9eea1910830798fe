# verdict: wrong_answer
# traps: softmax_over_everything
"""Flattens all logits for one softmax, and shapes it back."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.pow(2).mean(-1, keepdim=True) + eps)
    logits = k @ pseudo_query
    alpha = torch.softmax(logits.flatten(), dim=0).reshape(logits.shape)  # <- mistake
    h = torch.einsum("sbt,sbtd->btd", alpha, v)
    return {"retrieved_representation": h, "attention_weights": alpha}
