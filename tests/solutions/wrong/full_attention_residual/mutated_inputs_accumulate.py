# verdict: wrong_answer | runtime_error
# traps: mutated_inputs
"""Accumulates the mix in the embedding itself, which `h` is only another name for."""

import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = [embedding] + [f for f in previous_outputs]
    logits = [
        ((v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps)) * pseudo_query).sum(-1)
        for v in sources
    ]
    alpha = torch.softmax(torch.stack(logits), 0)

    h = embedding
    h.mul_(alpha[0].unsqueeze(-1))  # <- mistake
    for a, f in zip(alpha[1:], previous_outputs):
        h += a.unsqueeze(-1) * f
    return {"retrieved_representation": h.clone(), "attention_weights": alpha}
