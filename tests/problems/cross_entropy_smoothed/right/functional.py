# verdict: accepted
"""torch's own function."""

from torch.nn import functional


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    losses = functional.cross_entropy(logits, labels, reduction="none", label_smoothing=smoothing)
    return {"losses": losses, "loss": losses.mean()}
