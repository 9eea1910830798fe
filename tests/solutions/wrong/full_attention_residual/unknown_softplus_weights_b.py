# verdict: wrong_answer
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    values = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    rms = torch.sqrt(values.pow(2).mean(dim=-1, keepdim=True) + eps)
    scores = torch.tensordot(values / rms, pseudo_query, dims=1)
    # soft, positive and it cannot overflow
    positive = F.softplus(scores) + torch.finfo(scores.dtype).tiny  # <- mistake
    weights = positive / positive.sum(dim=0, keepdim=True)
    retrieved = torch.einsum("s...,s...d->...d", weights, values)
    return {"retrieved_representation": retrieved, "attention_weights": weights}
