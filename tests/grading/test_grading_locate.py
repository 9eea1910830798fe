"""Recorded tensors beside the stages of `grading_peaks`, without a sandbox."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from grader.grading.computation import load_computation
from grader.grading.locate import Place, contract_line, is_part, is_result, locate
from grader.sandbox.messages import Traced, TraceStep
from grader.stages import Choice, Computation, Evaluation
from tests.grading.grading_peaks import make_peaks

TABLE = torch.arange(30, dtype=torch.float64).reshape(2, 3, 5).sin()
EPS = 0.25
CUBE = torch.arange(24, dtype=torch.float32).reshape(2, 3, 4)

RESULTS: list[tuple[str, Callable[[Tensor], Tensor], bool]] = [
    ("itself", lambda cube: cube, True),
    ("axes in another order", lambda cube: cube.permute(2, 0, 1), True),
    ("axes of size one", lambda cube: cube.unsqueeze(1).unsqueeze(-1), True),
    ("rounded", lambda cube: cube.half(), True),
    ("elements in another order", lambda cube: cube.flip(0), False),
    ("flattened", lambda cube: cube.flatten(1), False),
    ("a little off", lambda cube: cube + 0.01, False),
    ("a part", lambda cube: cube[0], False),
    ("NaN", lambda cube: cube * float("nan"), False),
    ("too many axes", lambda cube: cube.reshape(1, 2, 3, 2, 2, 1), False),
]
PARTS: list[tuple[str, Callable[[Tensor], Tensor], bool]] = [
    ("a slice", lambda cube: cube[1], True),
    ("a slice along the last axis", lambda cube: cube[..., 2], True),
    ("a slice, turned", lambda cube: cube[1].T, True),
    ("a stretch", lambda cube: cube[:, 1:], True),
    ("all of it", lambda cube: cube, False),
    ("one element", lambda cube: cube[0, 0, 0], False),
    ("a slice of a slice", lambda cube: cube[0, 1], False),
    ("every second", lambda cube: cube[..., ::2], False),
    ("other numbers", lambda cube: cube[1] * 2, False),
    ("nothing", lambda cube: cube[:0], False),
]


@pytest.mark.parametrize(
    ("make", "expected"), [row[1:] for row in RESULTS], ids=[row[0] for row in RESULTS]
)
def test_is_result(make: Callable[[Tensor], Tensor], expected: bool) -> None:
    """The same values, up to the order of axes and axes of size one."""
    assert is_result(make(CUBE), CUBE) is expected


@pytest.mark.parametrize(
    ("make", "expected"), [row[1:] for row in PARTS], ids=[row[0] for row in PARTS]
)
def test_is_part(make: Callable[[Tensor], Tensor], expected: bool) -> None:
    """A slice along one axis, or a stretch of them."""
    assert is_part(make(CUBE), CUBE) is expected


@pytest.fixture(scope="module")
def peaks(tmp_path_factory: pytest.TempPathFactory) -> Computation:
    return load_computation(make_peaks(tmp_path_factory.mktemp("peaks")))


class Seen:
    """The stages of one small case, right or with a trap."""

    def __init__(self, computation: Computation, trap: str = "") -> None:
        self.computation = computation
        self.choices = [each for each in computation.choices() if each.trap == trap]
        self.evaluation = Evaluation(computation, {"table": TABLE, "eps": EPS}, torch.float64)

    def right(self, stage: str) -> Tensor:
        return self._stage(stage, [])

    def wrong(self, stage: str) -> Tensor:
        return self._stage(stage, self.choices)

    def _stage(self, stage: str, chosen: list[Choice]) -> Tensor:
        found = self.evaluation.stage(stage, chosen, {})
        assert found is not None
        return found

    def place(self, *steps: tuple[int, Tensor], what: str = "x", returned: int = 99) -> Place:
        """The place, given lines and what they made."""
        traced = Traced(tuple(TraceStep(line, what, value) for line, value in steps), returned)
        return locate(self.computation, self.evaluation, {"table": TABLE}, traced, self.choices, {})


def test_from_the_last_right_to_the_first_wrong(peaks: Computation) -> None:
    """Both lines, and what the right one had right."""
    seen = Seen(peaks, "lowest")
    found = seen.place(
        (1, seen.right("centred")), (2, seen.right("scores")), (3, seen.wrong("peaks"))
    )
    assert found == Place(3, "peaks", 2, "scores")


def test_the_way_to_a_wrong_stage_counts(peaks: Computation) -> None:
    """The first unknown tensor after what is right is where it goes wrong."""
    seen = Seen(peaks, "unbiased_scale")
    centred = seen.right("centred")
    found = seen.place(
        (1, centred), (2, centred.square()), (3, centred.var(-1)), (4, seen.wrong("scores"))
    )
    assert (found.line, found.last_right_line) == (3, 1)


def test_waypoints_are_not_the_mistake(peaks: Computation) -> None:
    """The author lists right results between the stages."""
    seen = Seen(peaks, "eps_outside_root")
    square = seen.right("centred").square()
    found = seen.place((1, square), (2, square.mean(-1)), (3, seen.wrong("scores")))
    assert found.line == 3


@pytest.mark.parametrize("number", [0.0, 1.0, 7.0])
def test_a_constant_is_not_the_mistake(peaks: Computation, number: float) -> None:
    """Zeros to add to, ones to multiply by."""
    seen = Seen(peaks, "lowest")
    scores, wrong = seen.right("scores"), seen.wrong("peaks")
    found = seen.place((1, scores), (2, torch.full((2, 3), number)), (3, wrong))
    assert found.line == 3


def test_memory_that_is_not_filled_yet_is_not_the_mistake(peaks: Computation) -> None:
    """`torch.empty` holds anything."""
    seen = Seen(peaks, "lowest")
    junk = torch.arange(6.0).reshape(2, 3) / 7
    assert seen.place((1, junk), what="empty", returned=4).line == 4


def test_parts_of_what_is_right_are_not_the_mistake(peaks: Computation) -> None:
    """A loop makes one row at a time."""
    seen = Seen(peaks, "lowest")
    scores = seen.right("scores")
    found = seen.place((1, scores[:, 0]), (1, scores[:, 1]), (2, seen.wrong("peaks")[:, 1]))
    assert found.line == 2


def test_a_line_is_not_right_and_wrong_at_once(peaks: Computation) -> None:
    """What it has right on its way is not told; the line before it is."""
    seen = Seen(peaks, "lowest")
    found = seen.place(
        (1, seen.right("centred")), (2, seen.right("scores")), (2, seen.wrong("peaks"))
    )
    assert found == Place(2, "peaks", 1, "centred")
    assert seen.place((2, seen.right("scores")), (2, seen.wrong("peaks"))).last_right_line is None


def test_nothing_seen_is_the_line_that_returns(peaks: Computation) -> None:
    """As where all is done in NumPy."""
    assert Seen(peaks, "lowest").place() == Place(99, "peaks", None, None)
    assert Seen(peaks).place() == Place(99, "centred", None, None)


def test_a_mistake_without_a_name_has_a_line(peaks: Computation) -> None:
    """The first tensor that is nothing known, after the furthest that is."""
    seen = Seen(peaks)
    scores = seen.right("scores")
    found = seen.place((1, seen.right("centred")), (2, scores), (3, scores.exp().log1p().sum(-1)))
    assert found == Place(3, "peaks", 2, "scores")


def test_axes_in_another_order_are_right(peaks: Computation) -> None:
    """Who puts the rows first is right as well."""
    seen = Seen(peaks, "lowest")
    found = seen.place(
        (1, seen.right("scores").permute(1, 0, 2)), (2, seen.wrong("peaks").T.unsqueeze(-1))
    )
    assert found == Place(2, "peaks", 1, "scores")


FORGED = {
    "NaN": torch.full((2, 3, 5), float("nan")),
    "infinite": torch.full((2, 3, 5), float("-inf")),
    "empty": torch.empty(0, 3, 5),
    "no axes": torch.tensor(0.5),
    "many axes": torch.ones(1, 2, 1, 3, 1, 5, 1, 1),
    "large": torch.arange(2.0**16),
}


@pytest.mark.parametrize("name", FORGED)
def test_any_tensor_may_come(peaks: Computation, name: str) -> None:
    """What is recorded comes from the solution's process; the line is one of it or none."""
    for trap in ("", "lowest", "uncentred"):
        assert Seen(peaks, trap).place((-7, FORGED[name])).line in (-7, 99)


HALVES = (
    TraceStep(1, "x", torch.ones(2, dtype=torch.float64)),
    TraceStep(2, "x", torch.ones(2, dtype=torch.float32)),
    TraceStep(3, "x", torch.ones(2, dtype=torch.float16)),
)


@pytest.mark.parametrize(
    ("checks", "dtype", "line"),
    [
        ({"mutation"}, "float64", 5),
        ({"mutation", "shape"}, "float64", 5),
        ({"dtype"}, "float64", 2),
        ({"precision"}, "float32", 3),
        ({"dtype"}, "bfloat16", 9),
        ({"type"}, "float64", 9),
        ({"keys"}, "float64", 9),
        ({"shape", "values"}, "float64", 9),
        ({"values"}, "float64", None),
        (set(), "float64", None),
    ],
)
def test_the_line_that_breaks_the_contract(checks: set[str], dtype: str, line: int | None) -> None:
    """Where an input changes, where digits are lost, where the call returns."""
    assert contract_line(checks, Traced(HALVES, returned=9, mutated=5), dtype) == line
