# verdict: wrong_answer
# traps: smoothing_over_other_classes
"""Targets are written by scatter, as in many a blog post."""

import torch


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    classes = logits.shape[-1]
    log_p = torch.log_softmax(logits, dim=-1)
    targets = torch.full_like(log_p, smoothing / (classes - 1))  # <- mistake
    targets = targets.scatter(-1, labels.unsqueeze(-1), 1 - smoothing)
    losses = -(targets * log_p).sum(-1)
    return {"losses": losses, "loss": losses.mean()}
