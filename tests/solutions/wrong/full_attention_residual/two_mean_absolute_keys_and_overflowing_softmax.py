# verdict: wrong_answer
# traps: mean_absolute_keys, overflowing_softmax
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    up = torch.promote_types(embedding.dtype, torch.float32)
    srcs = [embedding.to(up)] + [p.to(up) for p in previous_outputs]
    q = pseudo_query.to(up)

    numerators = []
    for s in srcs:
        size = s.abs().mean(dim=-1, keepdim=True) + eps  # <- mistake
        numerators.append(torch.exp((s / size * q).sum(-1)))  # <- mistake
    total = sum(numerators)
    weights = [n / total for n in numerators]

    h = sum(w.unsqueeze(2) * s for w, s in zip(weights, srcs))
    return {
        "retrieved_representation": h.to(embedding.dtype),
        "attention_weights": torch.stack(weights).to(embedding.dtype),
    }
