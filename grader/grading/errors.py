"""What an exception or an ended process means: a verdict and a finding, in the learner's terms."""

from __future__ import annotations

import re
from collections.abc import Mapping

from grader.problem.model import Case, Problem
from grader.results import Finding, Frame, Verdict
from grader.sandbox.messages import Ended, Raised

_ENDED_VERDICTS: Mapping[str, Verdict] = {
    "died": Verdict.RUNTIME_ERROR,
    "time": Verdict.TIME_LIMIT,
    "memory": Verdict.MEMORY_LIMIT,
    "output": Verdict.OUTPUT_LIMIT,
    "malformed": Verdict.RUNTIME_ERROR,
    "lost": Verdict.RUNTIME_ERROR,
}
_OUT_OF_MEMORY = (
    "DefaultCPUAllocator: can't allocate memory",
    "CUDA out of memory",
    "not enough memory",
)
_NO_CUDA = (
    "Torch not compiled with CUDA enabled",
    "Found no NVIDIA driver",
    "No CUDA GPUs are available",
)
_NOT_CONTIGUOUS = (
    "view size is not compatible",
    "non-contiguous",
    "not contiguous",
    "contiguous tensor",
)
_LINE_END = re.compile("\r\n|\r|\n")
"""What ends a line for Python; `str.splitlines` knows more, a form feed for one."""
_MAX_LINE = 200
_LEAF_IN_PLACE = ("a leaf Variable that requires grad", "a view of a leaf Variable")


def of_ended(ended: Ended) -> tuple[Verdict, Finding]:
    """The verdict and the finding of a process that is gone."""
    verdict = _ENDED_VERDICTS[ended.reason]
    check = {"time": "time", "memory": "memory", "output": "output"}.get(ended.reason, "error")
    helps = {
        "time": "is there a loop that does not end, or one in Python over every element?",
        "output": "print less; what was printed up to the limit is kept.",
        "died": "a solution must return; `exit`, signals and crashes end it without a result.",
    }
    return verdict, Finding(
        check, f"{ended.detail}.", helps.get(ended.reason, ""), None, ended.reason
    )


def of_raised(problem: Problem, case: Case | None, raised: Raised) -> tuple[Verdict, Finding]:
    """The verdict and the finding of an exception; some show a known mistake."""
    if raised.type == "MemoryError" or _has(raised, _OUT_OF_MEMORY):
        message = f"ran out of memory: {_told(raised)}"
        helped = "is a tensor far larger than the inputs?"
        return Verdict.MEMORY_LIMIT, Finding("memory", message, helped, None, "memory")
    check, kind, helped = "error", "raised", _help(problem, raised)
    if _has(raised, _LEAF_IN_PLACE):
        check, kind = "mutation", "input"
        helped = "an input that needs a gradient was changed in place; work on a new tensor."
    elif case is not None and case.layouts and _has(raised, _NOT_CONTIGUOUS):
        check, kind = "layout", "view"
        helped = "the inputs of this case are not contiguous: use `reshape` in place of `view`."
    elif _has(raised, _NO_CUDA):
        check, kind = "device", "cuda"
        helped = 'stay on the device of the inputs: no `.cuda()`, no `device="cuda"`.'
    return Verdict.RUNTIME_ERROR, Finding(check, f"raised {_told(raised)}", helped, None, kind)


def frames_of(raised: Raised, source: bytes) -> tuple[Frame, ...]:
    """The learner's own lines, quoted from the submitted bytes; none for a number out of range."""
    text = source.decode("utf-8-sig", errors="replace")
    lines = _LINE_END.split(text)
    return tuple(
        _frame(number, function, lines[number - 1], raised.column)
        for number, function in raised.lines
        if 0 < number <= len(lines)
    )


def _frame(number: int, function: str, line: str, column: int | None) -> Frame:
    """The line without its indentation, and its column moved as far; none out of the line."""
    source = line.strip()[:_MAX_LINE]
    place = None if column is None else column - line.find(source)
    fits = place is not None and 0 < place <= len(source) + 1
    return Frame(number, function, source, place if fits else None)


def is_not_implemented(raised: Raised, frames: tuple[Frame, ...]) -> bool:
    """Whether the solution says so itself; torch raises the same where it lacks an operation."""
    said = bool(frames) and frames[-1].source.startswith("raise")
    return said and raised.type == "NotImplementedError"


def _told(raised: Raised) -> str:
    text = raised.message.strip()
    return f"{raised.type}: {text}" if text else raised.type


def _has(raised: Raised, texts: tuple[str, ...]) -> bool:
    return any(text in raised.message for text in texts)


def _help(problem: Problem, raised: Raised) -> str:
    if raised.type == "EOFError" and "reading a line" in raised.message:
        return "the solution asks for keyboard input; all it needs comes as arguments."
    if raised.type == "RecursionError":
        return "a function calls itself without end."
    if raised.type == "ModuleNotFoundError":
        return "only the standard library, torch and numpy can be imported."
    if raised.type == "SystemExit":
        return "the function must return, not exit."
    return ""
