# verdict: wrong_answer
# traps: double_softmax
"""Probabilities are given to a function that takes logits."""

from torch.nn import functional


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    p = functional.softmax(logits, dim=-1)  # <- mistake
    losses = functional.cross_entropy(p, labels, reduction="none", label_smoothing=smoothing)
    return {"losses": losses, "loss": losses.mean()}
