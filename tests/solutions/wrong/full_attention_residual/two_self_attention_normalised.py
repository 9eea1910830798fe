# verdict: wrong_answer
# traps: token_dependent_query, normalized_values
"""Attention of each token to its own past on normalised states: the newest one asks, and keys are values."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    x = torch.stack([embedding, *previous_outputs], dim=2)
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    k = F.rms_norm(wide, wide.shape[-1:], eps=eps)
    q = k[:, :, -1]  # <- mistake
    a = torch.einsum("btd,btsd->bts", q, k).softmax(-1)
    h = torch.einsum("bts,btsd->btd", a, k)  # <- mistake
    return {
        "retrieved_representation": h.to(x.dtype),
        "attention_weights": a.permute(2, 0, 1).to(x.dtype),
    }
