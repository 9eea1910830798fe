# verdict: accepted
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dtype = embedding.dtype
    compute = torch.float64 if dtype == torch.float64 else torch.float32
    w = pseudo_query.to(compute)

    bank = torch.cat([embedding.unsqueeze(0), previous_outputs]).to(compute)
    logits = bank.square().mean(-1)
    logits.add_(eps).rsqrt_()
    logits = logits * (bank * w).sum(-1)
    logits -= logits.detach().amax(0)
    weights = logits.exp()
    weights = weights / weights.sum(0)

    h = weights.new_zeros(embedding.shape)
    for a, v in zip(weights, bank):
        h.addcmul_(a.unsqueeze(-1), v)
    return {
        "retrieved_representation": h.to(dtype),
        "attention_weights": weights.to(dtype),
    }
