# verdict: wrong_answer
# traps: missing_root
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    in_dtype = embedding.dtype
    dt = torch.float32 if in_dtype in (torch.float16, torch.bfloat16) else in_dtype

    v = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0).to(dt)
    w = pseudo_query.to(dt)

    squared = v * v
    mean_squared = squared.mean(dim=-1, keepdim=True)
    rms = mean_squared + eps  # <- mistake
    k = v / rms

    logits = (k * w).sum(dim=-1)
    logits = logits - logits.max(dim=0, keepdim=True).values
    num = logits.exp()
    alpha = num / num.sum(dim=0, keepdim=True)

    h = (alpha.unsqueeze(-1) * v).sum(dim=0)
    return {
        "retrieved_representation": h.to(in_dtype),
        "attention_weights": alpha.to(in_dtype),
    }
