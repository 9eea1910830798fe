"""The computation in two stages, and the wrong steps that people take at each of them.

    shares (samples, rows, width)   each weight divided by the sum over the samples
    mean   (rows, width)            the samples, weighted by their shares and summed

A step is a pure function whose parameters are named after inputs and earlier stages. The right
steps are a second implementation, which the reference is held against: write them apart from it. A
trap is a list of the ways to make one mistake; one is enough where all of them give the same
numbers. What a mistake is about is told in problem.yaml, under the same id.
"""

from __future__ import annotations

from torch import Tensor

from grader.stages import Computation, Stage


def mass(weights: Tensor) -> Tensor:
    return weights.sum(0)


SHARES = Stage(
    "shares",
    right=lambda weights, eps: weights / (mass(weights) + eps),
    traps={
        "undivided_weights": [lambda weights: weights],
        "shares_over_width": [lambda weights, eps: weights / (weights.sum(-1, keepdim=True) + eps)],
        "softmax_shares": [lambda weights: weights.softmax(0)],
        "eps_ignored": [lambda weights: weights / mass(weights)],
    },
    # What a right solution may have on its way here: a line that gives one of these is not wrong.
    waypoints=[mass, lambda weights, eps: mass(weights) + eps],
)

MEAN = Stage(
    "mean",
    right=lambda shares, values: (shares * values).sum(0),
    traps={"mean_of_products": [lambda shares, values: (shares * values).mean(0)]},
    waypoints=[
        lambda shares, values: shares * values,
        # Another right way: first the weighted sum, then the division.
        lambda weights, values: weights * values,
        lambda weights, values: (weights * values).sum(0),
    ],
)

COMPUTATION = Computation(stages=(SHARES, MEAN), outputs={"mean": "mean"})
