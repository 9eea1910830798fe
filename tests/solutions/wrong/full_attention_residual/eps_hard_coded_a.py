# verdict: wrong_answer
# traps: eps_hard_coded
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L, B, T, D = previous_outputs.shape
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs])
    per_token = sources.permute(1, 2, 0, 3)  # (B, T, S, D)
    keys = F.rms_norm(per_token, (D,))  # <- mistake
    query = pseudo_query.view(1, 1, 1, D).expand(B, T, 1, D)
    # let SDPA return mix and weights together: the values carry an identity block
    eye = torch.eye(L + 1, dtype=sources.dtype, device=sources.device).expand(B, T, L + 1, L + 1)
    out = F.scaled_dot_product_attention(query, keys, torch.cat((per_token, eye), -1), scale=1.0)
    mixed, weights = out.squeeze(2).split([D, L + 1], dim=-1)
    return {"retrieved_representation": mixed, "attention_weights": weights.permute(2, 0, 1)}
