# verdict: wrong_answer
"""Shifts the layer outputs by one position, as targets are shifted for the loss."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    shifted = torch.roll(previous_outputs, shifts=1, dims=2)  # <- mistake
    v = torch.cat([embedding.unsqueeze(0), shifted])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax(torch.matmul(k, pseudo_query), dim=0)
    return {"retrieved_representation": (a.unsqueeze(-1) * v).sum(0), "attention_weights": a}
