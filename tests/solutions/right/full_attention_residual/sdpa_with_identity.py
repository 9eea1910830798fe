# verdict: accepted
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    S = previous_outputs.shape[0] + 1
    dtype = embedding.dtype
    wide = torch.promote_types(dtype, torch.float32)
    kv = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(wide)
    kv = kv.permute(1, 2, 0, 3).reshape(B * T, S, D)
    k = F.rms_norm(kv, (D,), eps=eps)
    q = pseudo_query.to(wide).expand(B * T, 1, D)
    # append the identity to the values: the same call then hands back its weights
    eye = torch.eye(S, dtype=wide, device=kv.device).expand(B * T, S, S)
    out = F.scaled_dot_product_attention(q, k, torch.cat([kv, eye], -1), scale=1.0)
    h, a = out.squeeze(1).split([D, S], dim=-1)
    return {
        "retrieved_representation": h.reshape(B, T, D).to(dtype),
        "attention_weights": a.reshape(B, T, S).permute(2, 0, 1).to(dtype),
    }
