# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # batch first
    f = previous_outputs.transpose(0, 1)  # (B, L, T, D)
    v = torch.cat([embedding.unsqueeze(1), f], dim=1)  # (B, L+1, T, D)
    k = v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax((k * pseudo_query).sum(-1), dim=1)  # (B, L+1, T)
    h = (a.unsqueeze(-1) * v).sum(dim=1)
    return {
        "retrieved_representation": h,
        "attention_weights": a,  # <- mistake
    }
