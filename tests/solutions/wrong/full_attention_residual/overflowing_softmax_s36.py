# verdict: wrong_answer
# traps: overflowing_softmax
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    dt = embedding.dtype
    acc = torch.float64 if dt == torch.float64 else torch.float32
    w = pseudo_query.to(acc)
    sources = [embedding.to(acc)] + [f.to(acc) for f in previous_outputs]

    scores = []
    for v in sources:
        k = v * (v.pow(2).mean(dim=-1, keepdim=True) + eps) ** -0.5
        scores.append((k * w).sum(dim=-1))
    scores = torch.stack(scores)

    numerator = 0
    denominator = 0
    exps = []
    for v, score in zip(sources, scores):
        p = score.exp()  # <- mistake
        exps.append(p)
        numerator = numerator + p[..., None] * v
        denominator = denominator + p

    h = numerator / denominator[..., None]
    weights = torch.stack(exps) / denominator
    return {"retrieved_representation": h.to(dt), "attention_weights": weights.to(dt)}
