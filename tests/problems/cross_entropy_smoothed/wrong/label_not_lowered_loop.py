# verdict: wrong_answer
# traps: label_not_lowered
"""A loop over rows, as one who thinks of one row at a time."""

import torch


def row_loss(row, label, smoothing):
    log_p = row - torch.logsumexp(row, dim=0)
    target = torch.full_like(row, smoothing / len(row))
    target[label] += 1  # <- mistake
    return -torch.dot(target, log_p)


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    losses = torch.stack(
        [row_loss(row, label, smoothing) for row, label in zip(logits, labels, strict=True)]
    )
    return {"losses": losses, "loss": losses.mean()}
