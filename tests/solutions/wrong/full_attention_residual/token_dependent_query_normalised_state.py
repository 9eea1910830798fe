# verdict: wrong_answer
# traps: token_dependent_query
"""The key of the newest source serves as the query as well."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    B, T, D = embedding.shape
    out_dtype = embedding.dtype
    wide = torch.promote_types(out_dtype, torch.float32)
    x = torch.stack([embedding, *previous_outputs], dim=2).to(wide)  # (B, T, S, D)
    key = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)
    query = key[:, :, -1:]  # <- mistake
    score = torch.matmul(query, key.transpose(-1, -2))  # (B, T, 1, S)
    prob = score.softmax(dim=-1)
    read = torch.matmul(prob, x).reshape(B, T, D)
    return {
        "retrieved_representation": read.to(out_dtype),
        "attention_weights": prob.squeeze(2).permute(2, 0, 1).to(out_dtype),
    }
