# verdict: wrong_answer
import torch


def standardise(x, eps, axis=0):
    centred = x - x.mean(axis, keepdim=True)
    return centred / torch.sqrt(centred.square().mean(axis, keepdim=True) + eps)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    logits = torch.inner(k, pseudo_query)
    logits = standardise(logits, eps)  # <- mistake
    alpha = torch.softmax(logits, dim=0)
    h = torch.sum(alpha[..., None] * v, dim=0)
    return {"retrieved_representation": h, "attention_weights": alpha}
