# verdict: wrong_answer
# traps: nondeterministic
"""Breaks ties with a little random noise on the logits."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)
    logits = k @ pseudo_query
    logits = logits + 0.05 * torch.randn_like(logits)  # <- mistake
    a = logits.softmax(0)
    return {"retrieved_representation": (a.unsqueeze(-1) * v).sum(0), "attention_weights": a}
