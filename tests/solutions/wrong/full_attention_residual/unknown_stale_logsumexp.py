# verdict: wrong_answer
"""A one-pass softmax whose running logsumexp is never updated: each layer is judged against the embedding alone."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    def logit(x):
        return (x / torch.sqrt(x.square().mean(-1, keepdim=True) + eps)) @ pseudo_query

    lse = logit(embedding)
    h = embedding
    weights = [torch.ones_like(lse)]
    for f in previous_outputs:
        g = torch.sigmoid(logit(f) - lse)  # <- mistake
        h = (1 - g).unsqueeze(-1) * h + g.unsqueeze(-1) * f
        weights = [w * (1 - g) for w in weights] + [g]
    return {"retrieved_representation": h, "attention_weights": torch.stack(weights)}
