"""The line that breaks the contract, found in a trace by what the checks saw."""

from __future__ import annotations

import time

import pytest
import torch
from torch import Tensor

from grader.grading.breach import breach_line, parting_line
from grader.grading.source import Source
from grader.results import Finding
from grader.sandbox.messages import StepKind, Traced, TraceStep

OUTPUTS = ["peaks", "total"]
RETURNED, MUTATED = 9, 5
X = torch.arange(6.0).reshape(2, 3)


def step(
    line: int,
    value: Tensor = X,
    *sources: int,
    what: str = "add",
    kind: StepKind = "call",
    tracks: bool = False,
) -> TraceStep:
    return TraceStep(line, what, value, kind, sources, tracks=tracks)


def found(
    *findings: Finding,
    steps: tuple[TraceStep, ...] = (),
    dtype: str = "float64",
    text: str = "",
    mutated: int | None = MUTATED,
) -> int | None:
    """The line, where gradients are asked of the first input and of no other."""
    traced = Traced(steps, RETURNED, mutated)
    return breach_line(findings, traced, dtype, OUTPUTS, Source.of(text.encode()), [-1])


def of(check: str, kind: str = "", output: str | None = None) -> Finding:
    return Finding(check, "", "", output, kind)


MUTATION, GRADIENT, PRECISION = of("mutation", "input", "x"), of("gradient"), of("precision")


@pytest.mark.parametrize(
    ("checks", "line"),
    [
        (["mutation"], MUTATED),
        (["shape", "mutation"], MUTATED),
        (["type"], RETURNED),
        (["keys"], RETURNED),
        (["shape", "values"], RETURNED),
        (["device"], RETURNED),
        (["dtype"], RETURNED),
        (["precision"], RETURNED),
        (["gradient"], None),
        (["values"], None),
        (["state"], None),
        (["error"], None),
        ([], None),
    ],
    ids=lambda each: "+".join(each) if isinstance(each, list) else "",
)
def test_what_a_trace_can_tell(checks: list[str], line: int | None) -> None:
    """Where an input changes; where a wrong form is returned; of values, nothing."""
    assert found(*map(of, checks)) == line


def test_a_change_that_was_not_seen_has_no_line() -> None:
    """It is made in code that is not of the file, maybe; nothing else is told instead."""
    assert found(MUTATION, of("shape"), mutated=None) is None


class TestDigits:
    """Where a dtype gets lost."""

    STEPS = (
        step(1, X.double(), -1),
        step(2, X.double().long(), 0, what="argmax"),
        step(3, X.float(), 0, what="float"),
        step(4, X.half(), 2, what="half"),
        step(5, X.double(), 3, what="double"),
    )

    @pytest.mark.parametrize(
        ("dtype", "line"),
        [("float64", 3), ("float32", 4), ("float16", RETURNED), ("bfloat16", RETURNED)],
    )
    @pytest.mark.parametrize("check", ["dtype", "precision"])
    def test_the_first_that_is_narrower(self, check: str, dtype: str, line: int) -> None:
        """Than the case's; indices are no loss, nor is another dtype as wide."""
        assert found(of(check), steps=self.STEPS, dtype=dtype) == line

    @pytest.mark.parametrize(
        ("kind", "line"), [("float64", 3), ("float32", RETURNED), ("int64", 4)]
    )
    def test_the_first_that_is_made_so(self, kind: str, line: int) -> None:
        """An output that is too wide comes of a tensor made from nothing, which has that dtype; not
        of one that was made from others."""
        steps = (
            step(1, X.double(), -1),
            step(2, X.double(), kind="name"),
            step(3, X.double(), what="zeros"),
            step(4, X.long(), what="zeros"),
        )
        dtype = "float32" if kind != "float32" else "float64"
        made = tuple(s for s in steps if dtype == "float32" or s.value.dtype is torch.float64)
        assert found(of("dtype", kind, "peaks"), steps=made, dtype=dtype) == line

    def test_what_is_lost_comes_before_what_is_returned(self) -> None:
        """The file names the output, too."""
        dtype = of("dtype", "float32", "peaks")
        assert found(dtype, steps=self.STEPS, text='\n\n\n\n\n"peaks": x') == 3


class TestGradients:
    """Where one is cut off."""

    @pytest.mark.parametrize(
        ("steps", "line"),
        [
            ([step(1, X, -1, tracks=True), step(2, X, 0, what="detach")], 2),
            ([step(1, X, -1, what="detach"), step(2, X, 0)], 1),
            ([step(1, X, -1, tracks=True), step(2, X, 0, tracks=True)], None),
            ([step(1, X, what="zeros"), step(2, X, -1, 0, tracks=True)], None),
            ([step(1, X, -1, tracks=True), step(2, X.long(), 0, what="argmax")], None),
            ([step(1, X, -1, tracks=True), step(2, X, 0, what="round")], None),
            ([step(1, X, -1, tracks=True), step(2, X, 0, what="y", kind="name")], None),
            ([step(1, X), step(2, X, 0), step(3, X, 1)], None),
            ([step(1, X, -2), step(2, X, -1, what="detach")], 2),
            ([step(1, X, -2)], None),
        ],
        ids=[
            "detached", "an input is detached", "all track", "a constant", "indices",
            "a step has no slope", "a name of it", "of nothing that has one",
            "an input without one is used before", "an input without one",
        ],
    )  # fmt: skip
    def test_the_first_without_one(self, steps: list[TraceStep], line: int | None) -> None:
        """A tensor that is made of some with a gradient, and has none itself."""
        assert found(GRADIENT, steps=tuple(steps)) == line

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("def f(x):\n    with torch.no_grad():\n        y = x + 1", 2),
            ("def f(x):\n    with torch.no_grad():\n        a = 1\n    y = x.data", 4),
            ("", 4),
        ],
        ids=["in a block", "after a block", "no text"],
    )
    def test_in_a_block_without_gradients(self, text: str, line: int) -> None:
        """The line that opens it is the one to take out."""
        at = 3 if line == 2 else 4
        assert found(GRADIENT, steps=(step(at, X, -1),), text=text) == line

    def test_before_the_form_and_after_a_change(self) -> None:
        """A changed input cuts gradients off, too, and shows best what is wrong."""
        steps = (step(2, X, -1),)
        assert found(GRADIENT, of("shape"), steps=steps) == 2
        assert found(GRADIENT, MUTATION, steps=steps) == MUTATED


class TestForm:
    """Where the file names what has a wrong form."""

    TEXT = (
        "def peaks_of(table):\n"
        "    out = {}\n"
        '    out["total"] = total\n'
        '    out["peaks"] = peaks\n'
        '    out["peeks"] = peaks\n'
        '    out["more"] = peaks\n'
        "\n\n"
        "    return out"
    )

    @pytest.mark.parametrize(
        ("findings", "line"),
        [
            ([of("shape", "permuted", "peaks")], 4),
            ([of("type", "numpy", "total")], 3),
            ([of("device", "cpu", "total"), of("shape", "", "peaks")], 3),
            ([of("keys", "missing", "peaks")], RETURNED),
            ([of("keys", "misspelled", "peaks")], 5),
            ([of("keys", "extra")], 5),
            ([of("shape", "", "peaks"), of("keys", "extra")], 5),
            ([of("shape", "", "else")], RETURNED),
            ([of("values", "wrong", "peaks")], None),
        ],
        ids=[
            "a shape", "a type", "the first of two", "a key that is missing",
            "a key with a wrong name", "a key too many", "a key before a shape",
            "a name that is nowhere", "values",
        ],
    )  # fmt: skip
    def test_by_its_name(self, findings: list[Finding], line: int | None) -> None:
        """A key that is not asked for before all; what the file does not name, where it returns."""
        names = ("peaks", "peeks", "total", "more")
        steps = tuple(step(9, X, what=name, kind="returned") for name in names)
        assert found(*findings, steps=steps, text=self.TEXT) == line

    def test_a_name_in_a_call_is_no_key(self) -> None:
        """Only what was returned is looked for."""
        steps = (step(1, X, what="more"), step(9, X, what="peeks", kind="returned"))
        text = 'more = x.more("more")\nreturn {"peeks": x}'
        assert found(of("keys", "extra"), steps=steps, text=text) == 2


class TestParting:
    """Where two runs of the same call part."""

    def test_the_first_that_is_another(self) -> None:
        """In values, in shape or in dtype."""
        first = Traced((step(1), step(2), step(3)))
        for other in (X + 1, X[:1], X.double(), X.long()):
            second = Traced((step(1), step(2, other), step(3, other)))
            assert parting_line(first, second) == 2

    def test_nan_is_no_difference(self) -> None:
        """It is where it was."""
        steps = (step(1, X / 0), step(2, X))
        assert parting_line(Traced(steps), Traced((step(1, X / 0), step(2, X + 1)))) == 2

    @pytest.mark.parametrize(
        ("first", "second", "line"),
        [
            ((1, 2, 3), (1, 2, 4, 5), 4),
            ((1, 2, 4, 5), (1, 2, 5), 2),
            ((1, 2, 3), (1, 2, 2, 3), 2),
            ((1, 2), (3, 2), 3),
            ((2, 1), (1, 2), 1),
        ],
        ids=["a new line", "a line that is left out", "a loop goes on", "at once", "turned"],
    )
    def test_the_first_line_that_another_run_takes(
        self, first: tuple[int, ...], second: tuple[int, ...], line: int
    ) -> None:
        """One that runs only then; else the one that decides what is left out."""
        assert parting_line(Traced(lines=first), Traced(lines=second)) == line

    def test_steps_are_compared_as_long_as_they_are_the_same_ones(self) -> None:
        """After that, it is the lines that tell."""
        first = Traced((step(1), step(2, X)), lines=(1, 2))
        second = Traced((step(1), step(3, X + 1)), lines=(1, 4, 3))
        assert parting_line(first, second) == 4

    @pytest.mark.parametrize(
        "second",
        [Traced(returned=7), Traced((step(1),), returned=7), Traced(lines=(1,), returned=7)],
        ids=["nothing", "fewer steps", "fewer lines"],
    )
    def test_else_it_is_what_is_returned(self, second: Traced) -> None:
        """As where all is done in NumPy."""
        assert parting_line(Traced((step(1), step(2)), lines=(1, 2)), second) == 7

    def test_nothing_seen_at_all(self) -> None:
        """A trace that ended too soon."""
        assert parting_line(Traced(), Traced()) is None


FORGED = tuple(
    TraceStep(line, what, value, "returned" if n % 2 else "call", sources)
    for n, (line, what, value, sources) in enumerate(
        (line, what, value, sources)
        for line in (-(1 << 62), 0, 1 << 62)
        for what in ("(", "peaks", "")
        for value in (X, X.half(), X.long(), X[:0], X / 0, torch.tensor(1.0))
        for sources in ((), (-(1 << 62),), (0,))
    )
)


@pytest.mark.parametrize("check", ["gradient", "dtype", "precision", "keys", "shape", "mutation"])
@pytest.mark.parametrize("text", ["", "x" * 1_000_000, " a\n" * 300_000], ids=["", "line", "lines"])
def test_forged_steps_cost_nothing(check: str, text: str) -> None:
    """Any numbers, any keys, any file: a line or none, and soon."""
    started = time.perf_counter()
    found(of(check, "extra", "peaks"), of(check, "float16"), steps=FORGED, text=text)
    parting_line(Traced(FORGED), Traced(FORGED[::-1], lines=(1 << 62,)))
    assert time.perf_counter() - started < 3
