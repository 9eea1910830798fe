# verdict: wrong_answer
# traps: double_softmax
import torch
import torch.nn.functional as F


def normalise(v, eps):
    return v / torch.sqrt(torch.mean(v * v, -1, keepdim=True) + eps)


def attention_scores(keys, w):
    scores = torch.einsum("...d,d->...", keys, w)
    return F.softmax(scores, dim=0)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    scores = attention_scores(normalise(values, eps), pseudo_query)
    weights = F.softmax(scores, dim=0)  # <- mistake
    mixed = torch.einsum("s...,s...d->...d", weights, values)
    return {"retrieved_representation": mixed, "attention_weights": weights}
