# verdict: wrong_answer
# traps: recency_bias, detached_gradients
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    inv_rms = torch.rsqrt(sources.pow(2).mean(dim=-1, keepdim=True) + eps)
    keys = sources * inv_rms.detach()  # <- mistake
    logits = keys @ pseudo_query

    bias = torch.zeros_like(logits)
    bias[-1] = 1.0  # <- mistake
    weights = torch.softmax(logits + bias, dim=0)

    retrieved = (weights.unsqueeze(-1) * sources).sum(dim=0)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
