# verdict: wrong_answer
"""Smooths the history first, an exponential moving average over depth."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    beta = 0.8
    smooth = [embedding]
    for f in previous_outputs:
        smooth.append(beta * smooth[-1] + (1 - beta) * f)  # <- mistake
    bank = torch.stack(smooth)
    keys = bank / torch.sqrt(bank.square().mean(-1, keepdim=True) + eps)
    alpha = (keys @ pseudo_query).softmax(dim=0)
    return {"retrieved_representation": (alpha[..., None] * bank).sum(0), "attention_weights": alpha}
