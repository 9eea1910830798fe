# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    up = torch.promote_types(embedding.dtype, torch.float32)
    x = torch.cat([embedding.unsqueeze(0), previous_outputs], 0).to(up)
    d = x.size(-1)
    mean_square = (torch.sum(x**2, dim=-1, keepdim=True) + eps) / d  # <- mistake
    keys = x * torch.rsqrt(mean_square)
    w = torch.softmax(keys @ pseudo_query.to(up), dim=0)
    y = torch.einsum("sbt,sbtd->btd", w, x)
    return {
        "retrieved_representation": y.to(embedding.dtype),
        "attention_weights": w.to(embedding.dtype),
    }
