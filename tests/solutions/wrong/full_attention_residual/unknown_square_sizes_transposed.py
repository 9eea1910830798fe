# verdict: wrong_answer
"""Accepts (T, B, D) layer outputs as well, and guesses by sizes: wrong as soon as B equals T."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    if previous_outputs.shape[1] == embedding.shape[1]:
        previous_outputs = previous_outputs.transpose(1, 2)  # <- mistake
    v = torch.cat([embedding.unsqueeze(0), previous_outputs])
    k = v / torch.sqrt(v.square().mean(-1, keepdim=True) + eps)
    a = torch.softmax(k @ pseudo_query, dim=0)
    h = (a.unsqueeze(-1) * v).sum(0)
    return {"retrieved_representation": h, "attention_weights": a}
