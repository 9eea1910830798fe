# verdict: wrong_answer
# traps: scaled_by_sqrt_width, narrowed_float64
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    original = embedding.dtype
    # norm and softmax are always done in fp32
    v = torch.cat([embedding.unsqueeze(0), previous_outputs]).float()  # <- mistake
    q = pseudo_query.float()
    k = v * torch.rsqrt(v.pow(2).mean(-1, keepdim=True) + eps)
    attn = torch.matmul(k, q) / (q.numel() ** 0.5)  # <- mistake
    attn = attn.softmax(dim=0)
    out = (attn.unsqueeze(-1) * v).sum(dim=0)
    return {
        "retrieved_representation": out.to(original),
        "attention_weights": attn.to(original),
    }
