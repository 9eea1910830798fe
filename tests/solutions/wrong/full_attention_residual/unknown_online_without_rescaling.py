# verdict: wrong_answer
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    work = torch.promote_types(embedding.dtype, torch.float32)
    q = pseudo_query.to(work)
    first = embedding.to(work)
    m = (first / (first.square().mean(-1, keepdim=True) + eps).sqrt()) @ q
    denominator = torch.ones_like(m)
    numerator = first
    logits = [m]
    for layer in previous_outputs.to(work):
        l = (layer / (layer.square().mean(-1, keepdim=True) + eps).sqrt()) @ q
        logits.append(l)
        m_new = torch.maximum(m, l)
        p = torch.exp(l - m_new)
        denominator = denominator * torch.exp(m - m_new) + p
        numerator = numerator + p.unsqueeze(-1) * layer  # <- mistake
        m = m_new
    out = numerator / denominator.unsqueeze(-1)
    weights = torch.exp(torch.stack(logits) - m) / denominator
    return {
        "retrieved_representation": out.to(embedding.dtype),
        "attention_weights": weights.to(embedding.dtype),
    }
