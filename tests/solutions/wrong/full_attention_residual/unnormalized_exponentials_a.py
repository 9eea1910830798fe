# verdict: wrong_answer
# traps: unnormalized_exponentials
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # online reading: o and z are rescaled whenever a larger logit turns up
    dtype = embedding.dtype
    comp = torch.float64 if dtype == torch.float64 else torch.float32
    w = pseudo_query.to(comp)
    n = previous_outputs.shape[0]

    m = torch.full(embedding.shape[:2], float("-inf"), dtype=comp, device=embedding.device)
    z = torch.zeros_like(m)
    o = torch.zeros(embedding.shape, dtype=comp, device=embedding.device)
    logits = []
    i = -1
    while i < n:
        v = embedding.to(comp) if i < 0 else previous_outputs[i].to(comp)
        l = torch.sum(v * w, -1) / torch.sqrt(torch.mean(v * v, -1) + eps)
        m_new = torch.maximum(m, l)
        shrink = torch.exp(m - m_new)
        p = torch.exp(l - m_new)
        z = z * shrink + p
        o = o * shrink[..., None] + p[..., None] * v
        m = m_new
        logits.append(l)
        i += 1

    alpha = torch.exp(torch.stack(logits) - m)
    z = torch.ones_like(z)  # <- mistake
    return {
        "retrieved_representation": (o / z[..., None]).to(dtype),
        "attention_weights": (alpha / z).to(dtype),
    }
