# verdict: wrong_answer
"""Adds a sinusoidal encoding of the depth to the keys."""
import torch


def depth_encoding(n, d, like):
    pos = torch.arange(n, device=like.device, dtype=like.dtype).unsqueeze(1)
    i = torch.arange(d, device=like.device, dtype=like.dtype)
    return torch.sin(pos / 100.0 ** (i / d)).reshape(n, 1, 1, d)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    k = k + depth_encoding(v.shape[0], v.shape[-1], v)  # <- mistake
    alpha = torch.softmax(k @ pseudo_query, dim=0)
    return {"retrieved_representation": torch.einsum("sbt,sbtd->btd", alpha, v), "attention_weights": alpha}
