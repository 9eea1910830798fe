"""Cross entropy with label smoothing: the loss of a classifier whose targets are smoothed.

A target gives `1 - smoothing` to the label and shares `smoothing` among all classes. What is summed
over the classes is then a part of the label's loss and a part of the mean over all classes, so that
the targets themselves are never needed.
"""

from __future__ import annotations

from torch import Tensor
from torch.nn.functional import nll_loss


def cross_entropy_smoothed(
    logits: Tensor, labels: Tensor, smoothing: float = 0.1
) -> dict[str, Tensor]:
    """Return `losses` (batch,) and their mean `loss` () of logits (batch, classes).

    >>> import torch
    >>> logits = torch.tensor([[0.0, torch.tensor(3.0).log()]])
    >>> result = cross_entropy_smoothed(logits, torch.tensor([1]), smoothing=0.2)
    >>> round(result["loss"].item(), 5)
    0.39754
    """
    log_probabilities = logits.log_softmax(dim=1)  # in one step: no logarithm of zero
    of_label = nll_loss(log_probabilities, labels, reduction="none")
    of_all = -log_probabilities.mean(dim=1)
    losses = (1 - smoothing) * of_label + smoothing * of_all
    return {"losses": losses, "loss": losses.mean()}
