# verdict: wrong_answer
# traps: l2_normalized_keys
"""Divides by torch.linalg.norm plus eps."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    V = torch.vstack([embedding.unsqueeze(0), previous_outputs])
    length = torch.linalg.norm(V, dim=-1) + eps  # <- mistake
    l = torch.einsum("sbtd, d -> sbt", V, pseudo_query) / length  # <- mistake
    alpha = torch.softmax(l, 0)
    h = torch.einsum("sbt, sbtd -> btd", alpha, V)
    return {"retrieved_representation": h, "attention_weights": alpha}
