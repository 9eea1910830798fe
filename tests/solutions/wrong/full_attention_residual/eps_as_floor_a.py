# verdict: wrong_answer
# traps: eps_as_floor
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dt = embedding.dtype
    x = torch.cat([embedding.unsqueeze(0), previous_outputs], 0).movedim(0, 2)  # b t s d
    x = x.to(torch.promote_types(dt, torch.float32))
    ms = torch.linalg.vecdot(x, x) / x.size(-1)
    inv = ms.clamp(min=eps).rsqrt()  # <- mistake
    logit = torch.linalg.vecdot(x, pseudo_query.to(x.dtype).expand_as(x)) * inv
    alpha = torch.softmax(logit, dim=-1)
    h = torch.matmul(alpha.unsqueeze(-2), x).squeeze(-2)
    return {
        "retrieved_representation": h.to(dt),
        "attention_weights": alpha.movedim(-1, 0).to(dt),
    }
