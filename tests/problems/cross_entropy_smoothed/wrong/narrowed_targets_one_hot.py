# verdict: wrong_answer
# traps: narrowed_targets
"""Targets of whole numbers, times a number: float32, whatever the logits are."""

from torch.nn.functional import one_hot


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    classes = logits.shape[1]
    log_p = logits.log_softmax(1)
    targets = (1 - smoothing) * one_hot(labels, classes) + smoothing / classes  # <- mistake
    losses = -(targets * log_p).sum(1)
    return {"losses": losses, "loss": losses.mean()}
