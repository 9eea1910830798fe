# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    in_dtype = embedding.dtype
    if in_dtype in (torch.float16, torch.bfloat16):
        embedding = embedding.float()
        previous_outputs = previous_outputs.float()
        pseudo_query = pseudo_query.float()

    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    n = sources.shape[-1]
    sum_sq = (sources**2).sum(dim=-1, keepdim=True)
    mean_sq = sum_sq / max(n - 1, 1)  # <- mistake
    keys = sources / torch.sqrt(mean_sq + eps)
    logits = (keys * pseudo_query).sum(dim=-1)
    weights = torch.softmax(logits, dim=0)
    h = (weights.unsqueeze(-1) * sources).sum(dim=0)
    return {
        "retrieved_representation": h.to(in_dtype),
        "attention_weights": weights.to(in_dtype),
    }
