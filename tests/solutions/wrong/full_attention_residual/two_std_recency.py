# verdict: wrong_answer
# traps: std_keys, recency_bias
"""Divides by the standard deviation, and gives the newest source a head start of 0.5."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    V = torch.cat([embedding.unsqueeze(0), previous_outputs])
    sigma = torch.sqrt(V.var(dim=-1, unbiased=False) + eps)  # <- mistake
    logits = (V @ pseudo_query) / sigma  # <- mistake
    older, newest = logits[:-1], logits[-1:]
    alpha = torch.cat([older, newest + 0.5]).softmax(dim=0)  # <- mistake
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", alpha, V), "attention_weights": alpha}
