# verdict: wrong_answer
import torch


def _rms(x, eps):
    dof = x.shape[-1] - 1
    return torch.sqrt(x.pow(2).sum(dim=-1, keepdim=True) / dof + eps)  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    if dtype in (torch.float16, torch.bfloat16):
        embedding = embedding.float()
        previous_outputs = previous_outputs.float()
        pseudo_query = pseudo_query.float()
    src = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    logits = torch.matmul(src / _rms(src, eps), pseudo_query)
    weights = torch.softmax(logits, dim=0)
    out = torch.sum(weights.unsqueeze(-1) * src, dim=0)
    return {
        "retrieved_representation": out.to(dtype),
        "attention_weights": weights.to(dtype),
    }
