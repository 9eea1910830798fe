# verdict: wrong_answer
import torch

DECAY = 0.9


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    n = v.shape[0]
    k = v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)
    alpha = torch.softmax(k @ pseudo_query, dim=0)

    # old layers fade away
    age = torch.arange(n - 1, -1, -1, device=v.device, dtype=v.dtype)
    alpha = alpha * (DECAY**age)[:, None, None]  # <- mistake
    alpha = alpha / alpha.sum(0, keepdim=True)

    h = torch.zeros_like(embedding)
    for i in range(n):
        h = h + alpha[i, ..., None] * v[i]
    return {"retrieved_representation": h, "attention_weights": alpha}
