# verdict: wrong_answer
# traps: smoothing_ignored
"""The ordinary cross entropy, by indexing."""

import torch


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    rows = torch.arange(len(labels), device=labels.device)
    losses = logits.logsumexp(-1) - logits[rows, labels]  # <- mistake
    return {"losses": losses, "loss": losses.mean()}
