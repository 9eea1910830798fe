"""Why a file cannot be graded: every reason in its own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.grading.loading import MAX_SOURCE_BYTES, Refusal, read_source, refusal_of
from grader.problem.model import Problem
from grader.results import Frame, Verdict
from grader.sandbox.messages import SILENCE, Ended, EntryProblem, Output, Raised

SIGNATURE = "toy(x, bias, factor=2.0)"
DEFINE = f"define `def {SIGNATURE}:`."

ENTRIES: list[tuple[EntryProblem, str, str]] = [
    (EntryProblem("missing"), "the file defines no `toy`.", DEFINE),
    (
        EntryProblem("missing", names=(("toi", 4), ("other", 9))),
        "the file defines no `toy`.",
        "did you mean `toi`, line 4? The name must be `toy`.",
    ),
    (
        EntryProblem("missing", names=(("Toys", 0),)),
        "the file defines no `toy`.",
        "did you mean `Toys`? The name must be `toy`.",
    ),
    (
        EntryProblem("missing", names=(("softmax", 4), ("mean", 9))),
        "the file defines no `toy`.",
        f"this file defines `softmax`, `mean`. {DEFINE}",
    ),
    (EntryProblem("not_callable", "int"), "`toy` is an int, expected a function.", DEFINE),
    (EntryProblem("not_callable", "Tensor"), "`toy` is a Tensor, expected a function.", DEFINE),
    (EntryProblem("class"), "`toy` is a class, expected a function.", DEFINE),
    (
        EntryProblem("async"),
        "`toy` is an async function: calling it gives a coroutine, not a result.",
        DEFINE,
    ),
    (
        EntryProblem("generator"),
        "`toy` is a generator: it has `yield` where `return` is expected.",
        DEFINE,
    ),
    (
        EntryProblem("signature", "(x, y)"),
        f"`toy(x, y)` cannot be called as `{SIGNATURE}`.",
        DEFINE,
    ),
]


@pytest.mark.parametrize(("found", "message", "helped"), ENTRIES)
def test_an_entry_that_cannot_be_called(
    toy: Problem, found: EntryProblem, message: str, helped: str
) -> None:
    """What is there, what was expected, and the line to write."""
    refusal = refusal_of(toy, found, b"", SILENCE)
    assert refusal.verdict is Verdict.NOT_LOADABLE
    finding = refusal.finding
    assert (finding.message, finding.help) == (message, helped)
    assert (finding.check, finding.kind) == ("load", found.kind)


SOURCE = b"import torch\n\ndef toy(x):\n\treturn x +\n"


def syntax(line: int, column: int | None, kind: str = "SyntaxError") -> Raised:
    return Raised(kind, "invalid syntax", ((line, "<module>"),), "import", column)


def test_a_syntax_error_has_its_line_and_column(toy: Problem) -> None:
    """The caret's column counts from where the quoted line begins: its indentation is not shown."""
    refusal = refusal_of(toy, syntax(4, 11), SOURCE, SILENCE)
    assert refusal.verdict is Verdict.NOT_LOADABLE
    assert refusal.finding.message == "SyntaxError at line 4, column 11: invalid syntax."
    assert refusal.frames == (Frame(4, "<module>", "return x +", 10),)


@pytest.mark.parametrize("kind", ["SyntaxError", "IndentationError", "TabError"])
def test_each_kind_of_syntax_error_is_one(toy: Problem, kind: str) -> None:
    """By its own name."""
    refusal = refusal_of(toy, syntax(4, None, kind), SOURCE, SILENCE)
    assert refusal.finding.message == f"{kind} at line 4: invalid syntax."
    assert refusal.finding.kind == "syntax"


@pytest.mark.parametrize("line", [0, -1, 5_000, 2**62])
def test_a_line_that_is_not_there_is_not_quoted(toy: Problem, line: int) -> None:
    """Numbers come from the solution's process, and may be anything."""
    refusal = refusal_of(toy, syntax(line, 3), SOURCE, SILENCE)
    assert refusal.frames == ()
    assert refusal.finding.message == "SyntaxError: invalid syntax."


@pytest.mark.parametrize("column", [0, -7, 13, 10**9, 2**62])
def test_a_column_that_is_not_there_gets_no_caret(toy: Problem, column: int) -> None:
    """A caret at a billion would be a line of a billion blanks."""
    refusal = refusal_of(toy, syntax(4, column), SOURCE, SILENCE)
    assert refusal.frames == (Frame(4, "<module>", "return x +", None),)
    assert refusal.finding.message == "SyntaxError at line 4: invalid syntax."


def test_a_caret_may_stand_behind_the_line(toy: Problem) -> None:
    """What is missing is often missing at the end."""
    (frame,) = refusal_of(toy, syntax(3, 12), SOURCE, SILENCE).frames
    assert (frame.source, frame.column) == ("def toy(x):", 12)


def test_an_exception_of_the_import_is_told_with_its_line(toy: Problem) -> None:
    """And with what was printed before."""
    raised = Raised("KeyError", "'a'", ((1, "<module>"), (3, "toy")), "import")
    refusal = refusal_of(toy, raised, SOURCE, Output("hello\n", cut=True))
    assert refusal.verdict is Verdict.NOT_LOADABLE
    assert refusal.finding.message == "importing the file raised KeyError: 'a' (at line 3)."
    assert [frame.line for frame in refusal.frames] == [1, 3]
    assert refusal.output == Output("hello\n", cut=True)


def test_a_module_that_is_missing_says_what_there_is(toy: Problem) -> None:
    """Only these packages are in the sandbox."""
    raised = Raised("ModuleNotFoundError", "No module named 'jax'", ((1, "<module>"),), "import")
    finding = refusal_of(toy, raised, SOURCE, SILENCE).finding
    assert finding.help == "only the standard library, torch and numpy can be imported."


@pytest.mark.parametrize("kind", ["MemoryError", "RecursionError"])
def test_a_parser_that_gave_up_is_not_the_memory_limit(toy: Problem, kind: str) -> None:
    """No line of the file has run, so the file is at fault, not what it does."""
    refusal = refusal_of(toy, Raised(kind, "", (), "import"), SOURCE, SILENCE)
    assert refusal.verdict is Verdict.NOT_LOADABLE
    assert refusal.finding.message == "the file is nested too deeply for Python to read it."


def test_memory_taken_by_the_import_is_the_memory_limit(toy: Problem) -> None:
    """A line of the file asked for it."""
    refusal = refusal_of(toy, Raised("MemoryError", "", ((1, "<module>"),)), SOURCE, SILENCE)
    assert refusal.verdict is Verdict.MEMORY_LIMIT
    assert refusal.finding.message == (
        "importing the file ran out of memory: MemoryError (at line 1)."
    )


ENDED: list[tuple[Ended, Verdict]] = [
    (Ended("time", "no answer within 5 s"), Verdict.TIME_LIMIT),
    (Ended("memory", "it used more than 512 MB of memory"), Verdict.MEMORY_LIMIT),
    (Ended("output", "it printed more than 4 KB"), Verdict.OUTPUT_LIMIT),
    (Ended("died", "it ended its process (exit code 0)"), Verdict.NOT_LOADABLE),
    (Ended("lost", "it closed its channel to the grader"), Verdict.NOT_LOADABLE),
    (Ended("malformed", "its answer to the grader was not readable"), Verdict.NOT_LOADABLE),
]


@pytest.mark.parametrize(("ended", "verdict"), ENDED)
def test_an_import_that_ends_the_process(toy: Problem, ended: Ended, verdict: Verdict) -> None:
    """The limits have their verdicts; any other end is a file that cannot be loaded."""
    refusal = refusal_of(toy, ended, SOURCE, SILENCE)
    assert refusal.verdict is verdict
    assert refusal.finding.message == f"importing the file failed: {ended.detail}."


def test_a_file_is_read_as_bytes(tmp_path: Path) -> None:
    """Whatever its encoding."""
    path = tmp_path / "mine.py"
    path.write_bytes(b"\xff\x00")
    assert read_source(path) == b"\xff\x00"


def test_a_file_that_cannot_be_read_is_not_loadable(tmp_path: Path) -> None:
    """With the system's reason."""
    refusal = read_source(tmp_path / "gone.py")
    assert isinstance(refusal, Refusal)
    assert refusal.verdict is Verdict.NOT_LOADABLE
    assert refusal.finding.message == "the file cannot be read: No such file or directory."


def test_a_file_of_more_than_a_megabyte_is_refused(tmp_path: Path) -> None:
    """Before anything parses it; one of exactly so much is read."""
    path = tmp_path / "mine.py"
    path.write_bytes(b"#" * MAX_SOURCE_BYTES)
    assert isinstance(read_source(path), bytes)
    path.write_bytes(b"#" * (MAX_SOURCE_BYTES + 1))
    refusal = read_source(path)
    assert isinstance(refusal, Refusal)
    assert refusal.finding.message == "the file is larger than 1 MB."
