# verdict: wrong_answer
# traps: softmax_over_tokens
"""Ported from my JAX notebook (jnp -> torch, lax.rsqrt -> torch.rsqrt, jax.vmap -> torch.func.vmap)."""

from functools import partial

import torch
from torch.func import vmap


def _rms_norm(x, eps):
    var = torch.mean(torch.square(x), axis=-1, keepdims=True)
    return x * torch.rsqrt(var + eps)


def _read_one(e, fs, w, eps):
    # e: [T, D], fs: [L, T, D], w: [D]
    vs = torch.concatenate([e[None], fs], axis=0)
    logits = torch.einsum("ltd,d->lt", _rms_norm(vs, eps), w)
    probs = torch.softmax(logits, axis=-1)  # <- mistake
    return torch.einsum("lt,ltd->td", probs, vs), probs


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    ct = torch.promote_types(embedding.dtype, torch.float32)
    read = vmap(partial(_read_one, eps=eps), in_dims=(0, 1, None), out_dims=(0, 1))
    out, probs = read(embedding.to(ct), previous_outputs.to(ct), pseudo_query.to(ct))
    return {
        "retrieved_representation": out.to(embedding.dtype),
        "attention_weights": probs.to(embedding.dtype),
    }
