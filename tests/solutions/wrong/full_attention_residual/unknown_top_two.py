# verdict: wrong_answer
"""Keeps the two best sources of each token and masks the rest, as a sparse router does."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    logits = (v * torch.rsqrt(v.pow(2).mean(-1, keepdim=True) + eps)) @ pseudo_query
    k = min(2, v.shape[0])
    kept, where = logits.topk(k, dim=0)
    masked = torch.full_like(logits, float("-inf")).scatter(0, where, kept)  # <- mistake
    gate = masked.softmax(dim=0)
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", gate, v), "attention_weights": gate}
