# verdict: wrong_answer
import torch


def softmax_with_temperature(logits, temperature=0.7, dim=0):
    shifted = logits - logits.max(dim=dim, keepdim=True).values
    e = torch.exp(shifted / temperature)  # <- mistake
    return e / e.sum(dim=dim, keepdim=True)


def rms_norm(x, eps):
    return x / torch.sqrt(torch.mean(x * x, dim=-1, keepdim=True) + eps)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding[None], previous_outputs], dim=0)
    keys = rms_norm(values, eps)
    logits = (keys * pseudo_query).sum(dim=-1)
    weights = softmax_with_temperature(logits)
    return {
        "retrieved_representation": (weights[..., None] * values).sum(dim=0),
        "attention_weights": weights,
    }
