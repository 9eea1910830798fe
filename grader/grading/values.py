"""Checks of values: how many are off, where the worst is, and what simple relation explains it."""

from __future__ import annotations

import torch
from torch import Tensor

from grader.grading.exam import Target
from grader.problem.model import DEFAULT_TOLERANCES, Tolerance
from grader.results import Finding
from grader.tensors.compare import Comparison, compare, find_permutation
from grader.tensors.describe import apart, fraction, index, number

_SINGLE_PRECISION = Tolerance(4e-6, 4e-6)
"""About 30 roundings of float32: what a short computation in it loses, as few mistakes do."""


def check_values(
    target: Target, actual: Tensor, tolerance: Tolerance
) -> tuple[list[Finding], float]:
    """Compare an output of the right shape; findings and the largest error over its tolerance."""
    assert target.values is not None
    found = compare(actual, target.values, tolerance, target.scale)
    if found.passed:
        return [], found.largest_ratio
    name, axes = target.output.name, target.output.axes
    if _is_narrowed(target, actual):
        message = f"`{name}` is right to about single precision only, and the inputs are float64."
        hint = "somewhere a float32 comes in: `.float()`, a float32 constant, another dtype."
        return [Finding("precision", message, hint, name, "narrowed")], found.largest_ratio
    message = f"`{name}`: {_what_is_wrong(found, axes)}"
    return [
        Finding("values", message, _relation(target, actual), name, _kind(found))
    ], found.largest_ratio


def check_gradient(
    name: str, actual: Tensor | None, expected: Tensor, tolerance: Tolerance, scale: float
) -> tuple[list[Finding], float]:
    """Compare one input's gradient; a missing one is right only where it should be all zero."""
    if actual is None:
        if not bool(expected.any()):
            return [], 0.0
        message = f"no gradient reaches `{name}`."
        hint = (
            "`.detach()`, `.item()`, `torch.no_grad()` and new tensors made from data cut it off."
        )
        return [Finding("gradient", message, hint, name, "missing")], 0.0
    if actual.shape != expected.shape:
        return [
            Finding("gradient", f"the gradient of `{name}` has another shape.", "", name, "wrong")
        ], 0.0
    found = compare(actual, expected, tolerance, scale)
    if found.passed:
        return [], found.largest_ratio
    axes = [f"axis {axis}" for axis in range(expected.dim())]
    message = f"the gradient of `{name}` is wrong: {_what_is_wrong(found, axes)}"
    hint = "part of the computation is cut off from the gradient, or its backward is wrong."
    return [Finding("gradient", message, hint, name, "wrong")], found.largest_ratio


def _what_is_wrong(found: Comparison, axes: tuple[str, ...] | list[str]) -> str:
    """Count, share, first or worst index, values, and what would have been allowed."""
    for count, first, word in (
        (found.nan, found.first_nan, "NaN"),
        (found.inf, found.first_inf, "infinite"),
    ):
        if first is not None:
            place = index(first, axes) if first else "it"
            return f"{fraction(count, found.total)} {_are(count)} {word}, first at {place}."
    assert found.worst is not None
    assert found.expected is not None
    assert found.actual is not None
    assert found.allowed is not None
    expected, actual = apart(found.expected, found.actual)
    place = index(found.worst, axes) if found.worst else "it"
    return (
        f"{fraction(found.wrong, found.total)} {_are(found.wrong)} off; worst at {place}: "
        f"expected {expected}, actual {actual}, allowed difference {number(found.allowed, 2)}."
    )


def _kind(found: Comparison) -> str:
    return "nan" if found.nan else "inf" if found.inf else "wrong"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _is_narrowed(target: Target, actual: Tensor) -> bool:
    """Right to float32's tolerance where float64's is asked."""
    if target.dtype != "float64" or target.values is None:
        return False
    return compare(actual, target.values, _SINGLE_PRECISION, target.scale).passed


def _relation(target: Target, actual: Tensor) -> str:
    """A simple relation that the wrong values have, in words; "" when none is seen."""
    assert target.values is not None
    order = find_permutation(actual, target.values, target.tolerance, target.scale)
    if order is not None:
        return f"the values are right, but the axes are in another order: try `.permute{order}`."
    return _sum_relation(target, actual)


def _sum_relation(target: Target, actual: Tensor) -> str:
    """Over which axis the values sum to one, when it is not the one that the problem names."""
    wanted = target.output.sums_to_one
    if wanted is None or not actual.is_floating_point() or actual.numel() == 0:
        return ""
    values = actual.detach().to(torch.float64)
    axes = target.output.axes
    tolerance = 10 * DEFAULT_TOLERANCES.get(target.dtype, target.tolerance).atol
    sums = {axis: values.sum(dim) for dim, axis in enumerate(axes) if values.shape[dim] > 1}
    ones = [axis for axis, total in sums.items() if bool(((total - 1).abs() <= tolerance).all())]
    if wanted in ones or wanted not in sums:
        return ""
    if ones:
        return f"the values must sum to one over {wanted}; yours do so over {' and '.join(ones)}."
    worst = sums[wanted].flatten()
    off = worst[(worst - 1).abs().argmax()]
    return f"the values must sum to one over {wanted}; here a sum is {number(float(off), 4)}."
