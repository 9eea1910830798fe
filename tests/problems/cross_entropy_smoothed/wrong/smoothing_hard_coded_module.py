# verdict: wrong_answer
# traps: smoothing_hard_coded
"""A module that was made before the argument was known."""

from torch import nn

CRITERION = nn.CrossEntropyLoss(reduction="none", label_smoothing=0.05)


def cross_entropy_smoothed(logits, labels, smoothing=0.1):
    losses = CRITERION(logits, labels)  # <- mistake
    return {"losses": losses, "loss": losses.mean()}
