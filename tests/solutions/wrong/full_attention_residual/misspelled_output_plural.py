# verdict: wrong_answer
# traps: misspelled_output
"""`attention_weight` without its s."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding[None], previous_outputs])
    k = v * (v.square().mean(-1, keepdim=True) + eps).pow(-0.5)
    w = torch.softmax(k @ pseudo_query, 0)
    return {"retrieved_representation": (w[..., None] * v).sum(0), "attention_weight": w}  # <- mistake
