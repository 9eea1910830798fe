"""Recorded tensors beside the stages of `grading_peaks`, without a sandbox: where it goes wrong."""

from __future__ import annotations

import time

import pytest
import torch
from torch import Tensor

from grader.grading.computation import load_computation
from grader.grading.locate import Place, locate
from grader.grading.source import Source
from grader.sandbox.messages import StepKind, Traced, TraceStep
from grader.stages import Choice, Computation, Evaluation
from tests.grading.grading_peaks import make_peaks, source

TABLE = torch.arange(30, dtype=torch.float64).reshape(2, 3, 5).sin()
EPS = 0.25
RETURNED = 99


@pytest.fixture(scope="module")
def peaks(tmp_path_factory: pytest.TempPathFactory) -> Computation:
    return load_computation(make_peaks(tmp_path_factory.mktemp("peaks")))


def step(
    line: int, value: Tensor, *sources: int, what: str = "x", kind: StepKind = "call"
) -> TraceStep:
    """A step; without sources it is made of the input."""
    return TraceStep(line, what, value, kind, sources or (-1,))


class Seen:
    """The stages of one small case, right or with a trap."""

    def __init__(self, computation: Computation, trap: str = "") -> None:
        self.computation = computation
        self.choices = [each for each in computation.choices() if each.trap == trap][:1]
        self.evaluation = Evaluation(computation, {"table": TABLE, "eps": EPS}, torch.float64)

    def right(self, stage: str) -> Tensor:
        return self._stage(stage, [])

    def wrong(self, stage: str) -> Tensor:
        return self._stage(stage, self.choices)

    def _stage(self, stage: str, chosen: list[Choice]) -> Tensor:
        found = self.evaluation.stage(stage, chosen, {})
        assert found is not None
        return found

    def place(self, *steps: TraceStep, text: str = "", returned: int | None = RETURNED) -> Place:
        """The place, given what was recorded."""
        traced = Traced(steps, returned)
        inputs = {"table": TABLE}
        file = Source.of(text.encode())
        return locate(
            self.computation, self.evaluation, inputs, traced, self.choices, {}, file
        )  # fmt: skip


def test_from_the_last_right_to_the_first_wrong(peaks: Computation) -> None:
    """Both lines, and what the right one had right."""
    seen = Seen(peaks, "lowest")
    found = seen.place(
        step(1, seen.right("centred")),
        step(2, seen.right("scores"), 0),
        step(3, seen.wrong("peaks"), 1),
    )
    assert found == Place(3, "peaks", 2, "scores")


def test_the_way_to_a_wrong_stage_counts(peaks: Computation) -> None:
    """The first unknown tensor after what is right is where it goes wrong."""
    seen = Seen(peaks, "unbiased_scale")
    centred = seen.right("centred")
    found = seen.place(
        step(1, centred),
        step(2, centred.square(), 0),
        step(3, centred.var(-1), 1),
        step(4, seen.wrong("scores"), 0, 2),
    )
    assert (found.line, found.last_right_line) == (3, 1)


def test_waypoints_are_not_the_mistake(peaks: Computation) -> None:
    """The author lists right results between the stages."""
    seen = Seen(peaks, "eps_outside_root")
    square = seen.right("centred").square()
    found = seen.place(
        step(1, square), step(2, square.mean(-1), 0), step(3, seen.wrong("scores"), 1)
    )
    assert found.line == 3


def test_what_a_right_result_comes_from_is_not_the_mistake(peaks: Computation) -> None:
    """Who computes it in another way has tensors that no stage has."""
    seen = Seen(peaks, "lowest")
    found = seen.place(
        step(1, TABLE.exp()), step(2, seen.right("scores"), 0), step(3, seen.wrong("peaks"), 1)
    )
    assert (found.line, found.last_right_line) == (3, 2)


def test_what_the_wrong_result_does_not_come_from_is_not_the_mistake(peaks: Computation) -> None:
    """A line may compute something that is never used."""
    seen = Seen(peaks, "lowest")
    found = seen.place(
        step(1, seen.right("scores")), step(2, TABLE.exp()), step(3, seen.wrong("peaks"), 0)
    )
    assert found.line == 3


@pytest.mark.parametrize("number", [0.0, 1.0, 7.0])
def test_a_constant_is_not_the_mistake(peaks: Computation, number: float) -> None:
    """Zeros to add to, ones to multiply by."""
    seen = Seen(peaks, "lowest")
    scores, wrong = seen.right("scores"), seen.wrong("peaks")
    found = seen.place(step(1, scores), step(2, torch.full((2, 3), number)), step(3, wrong, 0, 1))
    assert found.line == 3


def test_memory_that_is_not_filled_yet_is_not_the_mistake(peaks: Computation) -> None:
    """`torch.empty` holds anything."""
    seen = Seen(peaks, "lowest")
    junk = torch.arange(6.0).reshape(2, 3) / 7
    assert seen.place(step(1, junk, what="empty"), step(2, seen.wrong("peaks"), 0)).line == 2


def test_parts_of_what_is_right_are_not_the_mistake(peaks: Computation) -> None:
    """A loop makes one row at a time."""
    seen = Seen(peaks, "lowest")
    scores, wrong = seen.right("scores"), seen.wrong("peaks")
    found = seen.place(step(1, scores[:, 0]), step(1, scores[:, 1]), step(2, wrong[:, 1], 0, 1))
    assert found.line == 2


def test_a_line_is_not_right_and_wrong_at_once(peaks: Computation) -> None:
    """What it has right on its way is not told; the line before it is."""
    seen = Seen(peaks, "lowest")
    centred, scores = step(1, seen.right("centred")), step(2, seen.right("scores"), 0)
    assert seen.place(centred, scores, step(2, seen.wrong("peaks"), 1)) == Place(
        2, "peaks", 1, "centred"
    )
    alone = step(2, seen.right("scores"))
    assert seen.place(alone, step(2, seen.wrong("peaks"), 0)).last_right_line is None


def test_nothing_seen_is_the_line_that_returns(peaks: Computation) -> None:
    """As where all is done in NumPy."""
    assert Seen(peaks, "lowest").place() == Place(RETURNED, "peaks", None, None)
    assert Seen(peaks).place() == Place(RETURNED, "centred", None, None)
    assert Seen(peaks).place(returned=None) == Place(None, "centred", None, None)


class TestWithoutAName:
    """Nothing known explains it: the outputs that came are all there is to go by."""

    def test_the_first_unknown_before_a_wrong_output(self, peaks: Computation) -> None:
        """What is right on the way there is passed over."""
        seen = Seen(peaks)
        scores = seen.right("scores")
        found = seen.place(
            step(1, seen.right("centred")),
            step(2, scores, 0),
            step(3, scores.exp(), 1),
            step(4, scores.exp().sum(-1), 2),
            step(5, scores.exp().sum(-1), 3, what="peaks", kind="returned"),
        )
        assert found == Place(3, "peaks", 2, "scores")

    def test_of_two_wrong_outputs_the_earlier_stage_s(self, peaks: Computation) -> None:
        """The other one comes of it."""
        seen = Seen(peaks)
        scores, strange = seen.right("scores"), seen.right("scores").exp().sum(-1)
        found = seen.place(
            step(1, scores),
            step(2, TABLE.exp()[:, 0]),
            step(3, strange, 0),
            step(4, TABLE.exp()[:, 0], 1, what="total", kind="returned"),
            step(4, strange, 2, what="peaks", kind="returned"),
        )
        assert found.line == 3

    def test_a_right_output_is_not_looked_behind(self, peaks: Computation) -> None:
        """Whatever the way there is."""
        seen = Seen(peaks)
        found = seen.place(
            step(1, TABLE.exp()),
            step(2, seen.right("peaks"), 0),
            step(3, TABLE.exp()[:, 0]),
            step(4, seen.right("peaks"), 1, what="peaks", kind="returned"),
            step(4, TABLE.exp()[:, 0], 2, what="total", kind="returned"),
        )
        assert (found.line, found.stage) == (3, "total")

    def test_what_is_returned_under_another_key_is_no_output(self, peaks: Computation) -> None:
        """It was not asked for."""
        seen = Seen(peaks)
        found = seen.place(
            step(1, TABLE.exp()),
            step(2, seen.right("total").exp(), 0),
            step(4, TABLE.exp(), 0, what="extra", kind="returned"),
            step(4, seen.right("total").exp(), 1, what="total", kind="returned"),
        )
        assert found.line == 1

    def test_without_outputs_the_last_tensor(self, peaks: Computation) -> None:
        """Of a call that raised, or returned no dict."""
        seen = Seen(peaks)
        scores = seen.right("scores")
        found = seen.place(
            step(1, seen.right("centred")), step(2, scores, 0), step(3, scores.exp().sum(-1), 1)
        )
        assert found == Place(3, "peaks", 2, "scores")


def test_axes_in_another_order_are_right(peaks: Computation) -> None:
    """Who puts the rows first is right as well."""
    seen = Seen(peaks, "lowest")
    found = seen.place(
        step(1, seen.right("scores").permute(1, 0, 2)),
        step(2, seen.wrong("peaks").T.unsqueeze(-1), 0),
    )
    assert found == Place(2, "peaks", 1, "scores")


@pytest.mark.parametrize(
    ("trap", "stage", "line"), [("eps_outside_root", "scores", 2), ("lowest", "peaks", 3)]
)
def test_a_sign_is_where_its_mistake_is_made(
    peaks: Computation, trap: str, stage: str, line: int
) -> None:
    """The root is usual on the way, but not before eps is added; for any other mistake it is."""
    seen = Seen(peaks, trap)
    root = seen.right("centred").square().mean(-1).sqrt()
    found = seen.place(
        step(1, seen.right("centred")), step(2, root, 0), step(3, seen.wrong(stage), 0, 1)
    )
    assert (found.line, found.stage) == (line, stage)


def test_a_sign_that_nothing_wrong_comes_from_is_none(peaks: Computation) -> None:
    """It may have been computed for something else."""
    seen = Seen(peaks, "eps_outside_root")
    root = seen.right("centred").square().mean(-1).sqrt()
    found = seen.place(step(1, root), step(2, seen.wrong("scores")))
    assert found.line == 2


def test_a_name_says_what_a_right_result_was_meant_for(peaks: Computation) -> None:
    """`centred = table` is wrong, although it is the input."""
    seen = Seen(peaks, "uncentred")
    found = seen.place(
        step(1, TABLE, what="clone"),
        step(2, TABLE, 0, what="centred", kind="name"),
        step(3, seen.wrong("scores"), 1),
    )
    assert (found.line, found.stage) == (1, "centred")


FORGED = {
    "NaN": torch.full((2, 3, 5), float("nan")),
    "infinite": torch.full((2, 3, 5), float("-inf")),
    "empty": torch.empty(0, 3, 5),
    "no axes": torch.tensor(0.5),
    "many axes": torch.ones(1, 2, 1, 3, 1, 5, 1, 1),
    "large": torch.arange(2.0**16),
    "integers": torch.arange(30, dtype=torch.uint8).reshape(2, 3, 5),
}


@pytest.mark.parametrize("name", FORGED)
@pytest.mark.parametrize("sources", [(), (-1,), (-2,), (-(1 << 61),), (0,), (0, 0, -1)])
def test_any_tensor_may_come(peaks: Computation, name: str, sources: tuple[int, ...]) -> None:
    """What is recorded comes from the solution's process; the line is one of it or none."""
    value = FORGED[name]
    for trap in ("", "lowest", "uncentred", "centred_over_rows"):
        for kind in ("call", "name", "argument", "returned"):
            first = TraceStep(-7, "peaks", value, kind, ())
            other = TraceStep(1 << 62, "peaks", value, kind, sources)
            found = Seen(peaks, trap).place(first, other, text=source())
            assert found.line in (-7, 1 << 62, RETURNED)


def test_five_hundred_tensors_take_no_time(peaks: Computation) -> None:
    """Each of the shape of a stage, and made of all before it."""
    seen = Seen(peaks, "lowest")
    steps = [
        step(n, seen.right("scores") + 0.1 * n, *range(max(0, n - 100), n)) for n in range(500)
    ]
    started = time.perf_counter()
    seen.place(*steps, text="x = x + 1\n" * 90_000)
    assert time.perf_counter() - started < 5
