# verdict: wrong_answer
# traps: norm_over_sources
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    L, B, T, D = previous_outputs.shape
    dtype = embedding.dtype
    x = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    x = x.permute(1, 2, 0, 3).reshape(B * T, L + 1, D)
    if dtype in (torch.float16, torch.bfloat16):
        x = x.float()
    norm = x.norm(dim=1, keepdim=True) ** 2 / x.shape[1]  # <- mistake
    scores = (x / (norm + eps).sqrt()) @ pseudo_query.to(x.dtype)
    attn = scores.softmax(dim=1)
    ctx = (attn.unsqueeze(1) @ x).squeeze(1)
    return {
        "retrieved_representation": ctx.reshape(B, T, D).to(dtype),
        "attention_weights": attn.reshape(B, T, L + 1).permute(2, 0, 1).to(dtype),
    }
