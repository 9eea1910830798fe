# verdict: wrong_answer
# traps: scaled_by_sqrt_width
"""The scale is hidden in the query: w * D ** -0.5 before the loop."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    q = pseudo_query * pseudo_query.shape[0] ** -0.5  # <- mistake
    best = None
    sources = [embedding, *previous_outputs.unbind()]
    scores = []
    for s in sources:
        r = (s.square().mean(-1) + eps).sqrt()
        scores.append((s @ q) / r)
        best = scores[-1] if best is None else torch.maximum(best, scores[-1])
    exps = [torch.exp(x - best) for x in scores]
    total = sum(exps)
    weights = torch.stack([x / total for x in exps])
    mix = sum(w[..., None] * s for w, s in zip(weights, sources))
    return {"retrieved_representation": mix, "attention_weights": weights}
