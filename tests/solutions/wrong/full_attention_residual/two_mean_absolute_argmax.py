# verdict: wrong_answer
# traps: mean_absolute_keys, hard_argmax
"""Mean magnitude for the norm, and the winner takes all."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / (v.abs().mean(-1, keepdim=True) + eps)  # <- mistake
    logits = k @ pseudo_query
    index = torch.arange(v.shape[0], device=v.device).reshape(-1, 1, 1)
    a = (logits.argmax(0) == index).to(v.dtype)  # <- mistake
    return {"retrieved_representation": (a[..., None] * v).sum(0), "attention_weights": a}
