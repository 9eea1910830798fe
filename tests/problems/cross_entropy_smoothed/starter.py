"""Cross entropy with label smoothing: the loss of a classifier whose targets are smoothed.

Read `statement.md`, replace the last line, and try it: python cli.py check PATH
"""

from __future__ import annotations

from torch import Tensor


def cross_entropy_smoothed(
    logits: Tensor, labels: Tensor, smoothing: float = 0.1
) -> dict[str, Tensor]:
    """Return the cross entropy of each row with its smoothed label, and the mean over the batch.

    Args:
        logits: (batch, classes).
        labels: (batch,), int64, from 0 to classes - 1.
        smoothing: the share of the target that all classes have in equal parts.

    Returns:
        A dict with exactly these keys: "losses" (batch,), and "loss" (), their mean.
    """
    raise NotImplementedError("nothing here yet: write the body of cross_entropy_smoothed")
