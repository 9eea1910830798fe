# verdict: wrong_answer
# traps: wrong_dtype
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    compute_dtype = torch.promote_types(dtype, torch.float32)
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0).to(compute_dtype)
    query = pseudo_query.to(compute_dtype)

    keys = sources * torch.rsqrt(sources.square().mean(-1, keepdim=True) + eps)
    weights = torch.softmax(keys @ query, dim=0)
    retrieved = torch.einsum("sbt,sbtd->btd", weights, sources)

    return {
        "retrieved_representation": retrieved.to(dtype),
        "attention_weights": weights,  # <- mistake
    }
