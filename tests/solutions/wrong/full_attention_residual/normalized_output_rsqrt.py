# verdict: wrong_answer
# traps: normalized_output
"""Norm, attend, norm again: a sandwich."""
import torch

rms_scale = lambda x, eps: torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    V = torch.cat([embedding[None], previous_outputs])
    A = torch.softmax(torch.sum(V * rms_scale(V, eps) * pseudo_query, -1), 0)
    H = torch.einsum("sbt,sbtd->btd", A, V)
    H = H * rms_scale(H, eps)  # <- mistake
    return {"retrieved_representation": H, "attention_weights": A}
