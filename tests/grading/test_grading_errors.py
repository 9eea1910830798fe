"""Exceptions and ended processes as verdicts and findings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.grading.errors import frames_of, is_not_implemented, of_ended, of_raised
from grader.problem.model import Layout, Problem
from grader.results import Frame, Verdict
from grader.sandbox.messages import Ended, Raised
from tests.grading.grading_answers import case_of

ENDED = {
    "died": (Verdict.RUNTIME_ERROR, "error"),
    "lost": (Verdict.RUNTIME_ERROR, "error"),
    "malformed": (Verdict.RUNTIME_ERROR, "error"),
    "time": (Verdict.TIME_LIMIT, "time"),
    "memory": (Verdict.MEMORY_LIMIT, "memory"),
    "output": (Verdict.OUTPUT_LIMIT, "output"),
}


@pytest.mark.parametrize("reason", ENDED)
def test_each_end_has_its_verdict(reason: str) -> None:
    """And the words in which the sandbox tells it."""
    verdict, finding = of_ended(Ended(reason, "it is gone"))  # type: ignore[arg-type]
    assert (verdict, finding.check) == ENDED[reason]
    assert (finding.message, finding.kind) == ("it is gone.", reason)


RAISED: list[tuple[str, str, Verdict, str, str, str]] = [
    ("ValueError", "no", Verdict.RUNTIME_ERROR, "error", "raised", ""),
    ("MemoryError", "", Verdict.MEMORY_LIMIT, "memory", "memory", "far larger than the inputs"),
    (
        "RuntimeError",
        "[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried 4000000000000",
        Verdict.MEMORY_LIMIT,
        "memory",
        "memory",
        "far larger",
    ),
    ("torch.OutOfMemoryError", "CUDA out of memory.", Verdict.MEMORY_LIMIT, "memory", "memory", ""),
    (
        "RuntimeError",
        "a leaf Variable that requires grad is being used in an in-place operation.",
        Verdict.RUNTIME_ERROR,
        "mutation",
        "input",
        "work on a new tensor",
    ),
    (
        "AssertionError",
        "Torch not compiled with CUDA enabled",
        Verdict.RUNTIME_ERROR,
        "device",
        "cuda",
        "stay on the device of the inputs",
    ),
    ("EOFError", "EOF when reading a line", Verdict.RUNTIME_ERROR, "error", "raised", "keyboard"),
    ("RecursionError", "depth", Verdict.RUNTIME_ERROR, "error", "raised", "calls itself"),
    ("SystemExit", "0", Verdict.RUNTIME_ERROR, "error", "raised", "return, not exit"),
    ("KeyboardInterrupt", "", Verdict.RUNTIME_ERROR, "error", "raised", ""),
]


@pytest.mark.parametrize(("kind", "text", "verdict", "check", "found", "helped"), RAISED)
def test_exceptions(
    toy: Problem, kind: str, text: str, verdict: Verdict, check: str, found: str, helped: str
) -> None:
    """Some say more than that something was raised."""
    said, finding = of_raised(toy, case_of(toy, "small"), Raised(kind, text, ()))
    assert (said, finding.check, finding.kind) == (verdict, check, found)
    assert (f"{kind}: {text}" if text else kind) in finding.message
    assert helped in finding.help


NOT_CONTIGUOUS = "view size is not compatible with input tensor's size and stride"


@pytest.mark.parametrize(("laid_out", "check"), [(True, "layout"), (False, "error")])
def test_a_view_that_fails_is_the_layout_s_where_there_is_one(
    toy: Problem, laid_out: bool, check: str
) -> None:
    """On contiguous inputs it is the solution's own transpose."""
    case = case_of(toy, "small")
    case = replace(case, layouts={"x": Layout("strided")}) if laid_out else case
    _, finding = of_raised(toy, case, Raised("RuntimeError", NOT_CONTIGUOUS, ()))
    assert finding.check == check
    assert ("reshape" in finding.help) == laid_out


SOURCE = "a = 1\r\n\tb = 2\rc = 3\x0c\n  # \u2028 \ufeffdé\n".encode()


@pytest.mark.parametrize(
    ("line", "quoted"),
    [(1, "a = 1"), (2, "b = 2"), (3, "c = 3"), (4, "# \u2028 \ufeffdé"), (5, "")],
)
def test_lines_are_counted_as_python_counts_them(line: int, quoted: str) -> None:
    """Form feeds and line separators of Unicode end no line."""
    assert frames_of(Raised("E", "", ((line, "f"),)), SOURCE) == (Frame(line, "f", quoted),)


@pytest.mark.parametrize("line", [0, -1, 6, 2**62])
def test_lines_that_are_not_there_are_left_out(line: int) -> None:
    """Nothing but the submitted bytes is ever quoted."""
    found = frames_of(Raised("E", "", ((line, "f"), (1, "g"))), SOURCE)
    assert found == (Frame(1, "g", "a = 1"),)


def test_a_long_line_is_cut() -> None:
    """One line of a megabyte is not a page of a report."""
    (frame,) = frames_of(Raised("E", "", ((1, "f"),)), b"x" * 1_000_000)
    assert frame.source == "x" * 200


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    """Nor do bytes that are no UTF-8 end the quoting."""
    (frame,) = frames_of(Raised("E", "", ((1, "f"),)), b"\xef\xbb\xbfa = '\xff'")
    assert frame.source == "a = '\ufffd'"


@pytest.mark.parametrize(
    ("kind", "source", "expected"),
    [
        ("NotImplementedError", "raise NotImplementedError", True),
        ("NotImplementedError", 'raise NotImplementedError("later")', True),
        ("NotImplementedError", "x.to_sparse() @ y", False),
        ("ValueError", "raise NotImplementedError", False),
    ],
)
def test_not_implemented_is_what_the_file_says_itself(
    kind: str, source: str, expected: bool
) -> None:
    """Torch raises the same type where it lacks an operation."""
    assert is_not_implemented(Raised(kind, "", ()), (Frame(1, "f", source),)) is expected
    assert not is_not_implemented(Raised(kind, "", ()), ())
