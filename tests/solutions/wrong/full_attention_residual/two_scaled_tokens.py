# verdict: wrong_answer
# traps: scaled_by_sqrt_width, softmax_over_tokens
"""Copied from a self-attention layer: / sqrt(d) and softmax(dim=-1)."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    d = pseudo_query.shape[-1]
    kv = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = F.rms_norm(kv, (d,), eps=eps)
    scores = k @ pseudo_query / d**0.5  # <- mistake
    attn = F.softmax(scores, dim=-1)  # <- mistake
    return {
        "retrieved_representation": torch.sum(attn.unsqueeze(-1) * kv, dim=0),
        "attention_weights": attn,
    }
