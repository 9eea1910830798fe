# verdict: wrong_answer
"""A focal loss: no mistake of the catalogue, so none may be named."""

from torch.nn import functional


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    losses = functional.cross_entropy(logits, labels, reduction="none", label_smoothing=smoothing)
    losses = losses * (1 - (-losses).exp()) ** 2
    return {"losses": losses, "loss": losses.mean()}
