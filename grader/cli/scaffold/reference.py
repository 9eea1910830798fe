"""New problem: the weighted mean of some samples.

The share of a sample is its weight divided by the sum over the samples; the mean is the sum of the
samples by their shares. With eps in the denominator it is zero where all weights are zero.
"""

from __future__ import annotations

from torch import Tensor


def new_problem(values: Tensor, weights: Tensor, eps: float = 1e-6) -> Tensor:
    """Return the mean (rows, width) of values (samples, rows, width); no weight is below 0.

    >>> import torch
    >>> values, weights = torch.tensor([1.0, 5.0]), torch.tensor([0.75, 0.25])
    >>> new_problem(values.view(2, 1, 1), weights.view(2, 1, 1), eps=0.0)
    tensor([[2.]])
    """
    shares = weights / (weights.sum(dim=0) + eps)
    return (shares * values).sum(dim=0)
