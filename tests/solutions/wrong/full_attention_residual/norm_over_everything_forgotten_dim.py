# verdict: wrong_answer
# traps: norm_over_everything
"""`.mean()` without an axis: one number for all sources, batch items and tokens."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    V = torch.cat([embedding.unsqueeze(0), previous_outputs])
    K = V / torch.sqrt((V ** 2).mean() + eps)  # <- mistake
    logits = K @ pseudo_query
    p = torch.softmax(logits, dim=0)
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", p, V), "attention_weights": p}
