"""New problem: the weighted mean of some samples.

Read `statement.md`, replace the last line, and try it: python cli.py check PATH
"""

from __future__ import annotations

from torch import Tensor


def new_problem(values: Tensor, weights: Tensor, eps: float = 1e-6) -> Tensor:
    """Return the weighted mean of the samples, at each place by itself.

    Args:
        values: (samples, rows, width).
        weights: (samples, rows, width), none below 0.
        eps: added to the sum of the weights.

    Returns:
        (rows, width).
    """
    raise NotImplementedError("nothing here yet: write the body of new_problem")
