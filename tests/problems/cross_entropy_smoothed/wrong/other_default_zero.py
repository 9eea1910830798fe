# verdict: wrong_answer
# traps: other_default
"""torch's default instead of the statement's."""

from torch.nn import functional


def cross_entropy_smoothed(logits, labels, smoothing=0.0):
    losses = functional.cross_entropy(logits, labels, reduction="none", label_smoothing=smoothing)
    return {"losses": losses, "loss": losses.mean()}
