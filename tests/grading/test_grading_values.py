"""Wording: messages about values, whole, as a learner reads them."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from grader.grading.exam import Target
from grader.grading.values import check_gradient, check_values
from grader.problem.expressions import parse
from grader.problem.model import Output, Tolerance
from grader.results import Finding

SINGLE = Tolerance(1e-5, 1e-5)


def target(values: list[object], dtype: str = "float32", sums: str | None = None) -> Target:
    """An output `y` that should be these values; its axes are row, part and so on."""
    expected = torch.tensor(values, dtype=torch.float64)
    axes = ("row", "part", "depth + 1")[: expected.dim()]
    shape = tuple(parse(size) for size in expected.shape)
    output = Output("y", shape, axes, sums_to_one=sums)
    tolerance = SINGLE if dtype == "float32" else Tolerance(1e-9, 1e-9)
    return Target(output, tuple(expected.shape), dtype, expected, tolerance, 1.0)


def only(wanted: Target, actual: Tensor) -> Finding:
    """The one finding."""
    (finding,), _ = check_values(wanted, actual, wanted.tolerance)
    return finding


MESSAGES: list[tuple[Target, Tensor, str, str]] = [
    (
        target([1.0, 2.0, 3.0, 4.0]),
        torch.tensor([1.0, 2.0, 3.5, 4.0]),
        "`y`: 1 of 4 values (25 %) is off; worst at [row 2]: "
        "expected 3, actual 3.5, allowed difference 4e-05.",
        "",
    ),
    (
        target([[1.0, 2.0], [3.0, 4.0]]),
        torch.tensor([[9.0, 2.5], [3.0, 4.0]]),
        "`y`: 2 of 4 values (50 %) are off; worst at [row 0, part 0]: "
        "expected 1, actual 9, allowed difference 2e-05.",
        "",
    ),
    (
        target([1.0, 2.0]),
        torch.tensor([torch.nan, torch.nan]),
        "`y`: 2 of 2 values (100 %) are NaN, first at [row 0].",
        "",
    ),
    (
        target([[[1.0, 2.0]]]),
        torch.tensor([[[1.0, torch.inf]]]),
        "`y`: 1 of 2 values (50 %) is infinite, first at [row 0, part 0, (depth + 1) 1].",
        "",
    ),
    (
        target([0.211941], "float32"),
        torch.tensor([0.211942], dtype=torch.float64) + 5e-5,
        "`y`: 1 of 1 value (100 %) is off; worst at [row 0]: "
        "expected 0.211941, actual 0.211992, allowed difference 1.2e-05.",
        "",
    ),
    (
        target([1000000.0]),
        torch.tensor([1000100.0]),
        "`y`: 1 of 1 value (100 %) is off; worst at [row 0]: "
        "expected 1e+06, actual 1.0001e+06, allowed difference 10.",
        "",
    ),
    (
        target([[1.0, 2.0], [3.0, 4.0]]),
        torch.tensor([[1.0, 3.0], [2.0, 4.0]]),
        "`y`: 2 of 4 values (50 %) are off; worst at [row 0, part 1]: "
        "expected 2, actual 3, allowed difference 3e-05.",
        "the values are right, but the axes are in another order: try `.permute(1, 0)`.",
    ),
    (
        target([[0.25, 0.75], [0.5, 0.5]], sums="part"),
        torch.tensor([[0.5, 0.25], [0.5, 0.75]]),
        "`y`: 3 of 4 values (75 %) are off; worst at [row 0, part 1]: "
        "expected 0.75, actual 0.25, allowed difference 1.8e-05.",
        "the values must sum to one over part; yours do so over row.",
    ),
    (
        target([[0.25, 0.75], [0.5, 0.5]], sums="part"),
        torch.tensor([[0.5, 1.5], [0.5, 0.5]]),
        "`y`: 2 of 4 values (50 %) are off; worst at [row 0, part 1]: "
        "expected 0.75, actual 1.5, allowed difference 1.8e-05.",
        "the values must sum to one over part; here a sum is 2.",
    ),
    (
        target(5.0),  # type: ignore[arg-type] # a number without axes
        torch.tensor(6.0),
        "`y`: 1 of 1 value (100 %) is off; worst at it: "
        "expected 5, actual 6, allowed difference 6e-05.",
        "",
    ),
]


@pytest.mark.parametrize(("wanted", "actual", "message", "helped"), MESSAGES)
def test_messages(wanted: Target, actual: Tensor, message: str, helped: str) -> None:
    """Count, share, place by the names of the axes, both values, and what was allowed."""
    found = only(wanted, actual)
    assert (found.message, found.help) == (message, helped)


def test_narrowed_float64_is_its_own_mistake() -> None:
    """Values that differ only in digits that float32 does not have."""
    found = only(target([1.0, 1 / 3], "float64"), torch.tensor([1.0, 1 / 3]).double())
    assert found == Finding(
        "precision",
        "`y` is right to about single precision only, and the inputs are float64.",
        "somewhere a float32 comes in: `.float()`, a float32 constant, another dtype.",
        "y",
        "narrowed",
    )


def test_an_error_above_single_precision_is_not_called_narrowed() -> None:
    """A mistake that is merely small has another message."""
    wanted = target([1.0, 1 / 3], "float64")
    assert only(wanted, torch.tensor([1.0, 1 / 3 + 1e-4]).double()).check == "values"


def test_right_values_say_how_close_they_are() -> None:
    """The largest error over its tolerance, for authors who choose tolerances."""
    wanted = target([1.0, 2.0])
    findings, ratio = check_values(wanted, torch.tensor([1.0, 2.0 + 1.5e-5]), wanted.tolerance)
    assert findings == []
    assert 0.45 < ratio < 0.55


G = torch.tensor([1.0, 2.0], dtype=torch.float64)

GRADIENTS: list[tuple[Tensor | None, Tensor, str]] = [
    (None, G, "no gradient reaches `x`."),
    (torch.zeros(3).double(), G, "the gradient of `x` has another shape."),
    (
        G * torch.tensor([1.0, 2.0]),
        G,
        "the gradient of `x` is wrong: 1 of 2 values (50 %) is off; worst at [(axis 0) 1]: "
        "expected 2, actual 4, allowed difference 3e-05.",
    ),
]


@pytest.mark.parametrize(("actual", "expected", "message"), GRADIENTS)
def test_messages_of_gradients(actual: Tensor | None, expected: Tensor, message: str) -> None:
    """In the same words, by the input's name."""
    (finding,), _ = check_gradient("x", actual, expected, SINGLE, 1.0)
    assert finding.message == message


def test_a_gradient_that_should_be_zero_may_be_missing() -> None:
    """Autograd gives None where nothing depends on an input."""
    assert check_gradient("x", None, torch.zeros(2).double(), SINGLE, 1.0) == ([], 0.0)


def test_the_tolerance_given_is_the_one_used() -> None:
    """A looser tolerance, for outputs of a lower precision, is given by the caller."""
    wanted = target([1.0])
    assert check_values(wanted, torch.tensor([1.001]), Tolerance(1e-2, 0.0))[0] == []
    assert check_values(wanted, torch.tensor([1.001]), wanted.tolerance)[0] != []
