# verdict: wrong_answer
# traps: scaled_by_sqrt_width
"""scaled_dot_product_attention without scale=1; the weights are read off it with an identity for the values."""
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    v = torch.cat([embedding.unsqueeze(0), previous_outputs]).permute(1, 2, 0, 3)
    k = F.rms_norm(v, (D,), eps=eps)
    q = pseudo_query.expand(B, T, 1, D)
    eye = torch.eye(v.shape[2], dtype=v.dtype, device=v.device).expand(B, T, -1, -1)
    a = F.scaled_dot_product_attention(q, k, eye)  # <- mistake
    h = a @ v
    return {"retrieved_representation": h[:, :, 0], "attention_weights": a[:, :, 0].permute(2, 0, 1)}
