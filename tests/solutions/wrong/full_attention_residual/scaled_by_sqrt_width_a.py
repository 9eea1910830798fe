# verdict: wrong_answer
# traps: scaled_by_sqrt_width
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    """Depth attention is ordinary attention with the roles: tokens = batch, layers = positions."""
    dtype = embedding.dtype
    hi = torch.promote_types(dtype, torch.float32)
    L, B, T, D = previous_outputs.shape
    v = torch.stack([embedding, *previous_outputs], dim=2).to(hi).reshape(B * T, L + 1, D)
    k = F.rms_norm(v, (D,), eps=eps)
    q = pseudo_query.to(hi).repeat(B * T, 1, 1)
    # attending over one-hot values gives the weights themselves
    one_hot = torch.eye(L + 1, dtype=hi, device=v.device).repeat(B * T, 1, 1)
    attn = F.scaled_dot_product_attention(q, k, one_hot)  # <- mistake
    h = attn @ v
    return {
        "retrieved_representation": h.reshape(B, T, D).to(dtype),
        "attention_weights": attn.reshape(B, T, L + 1).movedim(-1, 0).to(dtype),
    }
