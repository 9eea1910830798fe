# verdict: wrong_answer
# traps: layer_norm_keys, scaled_by_sqrt_width
"""A pre-LN transformer's attention: F.layer_norm, then 1 / sqrt(d)."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    x = torch.cat([embedding.unsqueeze(0), previous_outputs]).flatten(1, 2)  # (S, B*T, D)
    keys = F.layer_norm(x, (D,), eps=eps)  # <- mistake
    logits = torch.einsum("snd,d->sn", keys, pseudo_query).div(D**0.5)  # <- mistake
    p = logits.softmax(0)
    h = torch.einsum("sn,snd->nd", p, x)
    return {"retrieved_representation": h.reshape(B, T, D), "attention_weights": p.reshape(-1, B, T)}
