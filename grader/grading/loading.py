"""Why a file cannot be graded at all: not readable, not importable, or its entry not callable."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.grading.errors import frames_of, of_ended, of_raised
from grader.grading.names import ALIKE, a
from grader.problem.model import Problem, ScalarInput
from grader.problem.names import closest
from grader.results import Finding, Frame, Verdict
from grader.sandbox.client import Server
from grader.sandbox.messages import SILENCE, Ended, EntryProblem, LoadOutcome, Output, Raised
from grader.sandbox.session import Session

MAX_SOURCE_BYTES = 1 << 20

NOT_IMPLEMENTED = Finding(
    "implementation",
    "nothing implemented yet.",
    "replace the `raise NotImplementedError` of the starter by your own code.",
    None,
    "not_implemented",
)

_TOO_DEEP = Finding(
    "load",
    "the file is nested too deeply for Python to read it.",
    "is there an expression of thousands of brackets or signs?",
    None,
    "syntax",
)
_PARSER_GAVE_UP = ("MemoryError", "RecursionError")
"""What the parser raises when it gives up; no line of the file has run then."""
_SYNTAX_ERRORS = ("SyntaxError", "IndentationError", "TabError")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A verdict about the file as a whole, with the finding that says why."""

    verdict: Verdict
    finding: Finding
    frames: tuple[Frame, ...] = ()
    output: Output = SILENCE


def read_source(path: Path) -> bytes | Refusal:
    """The file's bytes; a refusal when there are none to be had, or too many."""
    try:
        with path.open("rb") as file:
            source = file.read(MAX_SOURCE_BYTES + 1)
    except OSError as error:
        return _not_loadable(f"cannot be read: {error.strerror or error}.", "")
    if len(source) > MAX_SOURCE_BYTES:
        return _not_loadable(
            f"is larger than {MAX_SOURCE_BYTES >> 20} MB.", "submit the source alone."
        )
    return source


def refusal_of(
    problem: Problem, loaded: EntryProblem | Raised | Ended, source: bytes, output: Output
) -> Refusal:
    """What to say of a file that was not loaded."""
    match loaded:
        case EntryProblem():
            return _entry(problem, loaded)
        case Raised():
            return _import_raised(problem, loaded, source, output)
        case Ended():
            verdict, finding = of_ended(loaded)
            verdict = Verdict.NOT_LOADABLE if verdict is Verdict.RUNTIME_ERROR else verdict
            message = f"importing the file failed: {finding.message}"
            told = Finding("load", message, finding.help, None, loaded.reason)
            return Refusal(verdict, told, (), output)


def _import_raised(problem: Problem, raised: Raised, source: bytes, output: Output) -> Refusal:
    frames = frames_of(raised, source)
    if raised.type in _PARSER_GAVE_UP and not frames:
        return Refusal(Verdict.NOT_LOADABLE, _TOO_DEEP, (), output)
    where = f" at line {frames[-1].line}" if frames else ""
    if raised.type in _SYNTAX_ERRORS:
        column = f", column {raised.column}" if frames and frames[-1].column else ""
        message = f"{raised.type}{where}{column}: {raised.message}."
        finding = Finding("load", message, "", None, "syntax")
        return Refusal(Verdict.NOT_LOADABLE, finding, frames, output)
    verdict, found = of_raised(problem, None, raised)
    if verdict is not Verdict.MEMORY_LIMIT:
        verdict = Verdict.NOT_LOADABLE
    message = f"importing the file {found.message}{where and f' ({where.strip()})'}."
    return Refusal(verdict, Finding("load", message, found.help, None, "raised"), frames, output)


def _entry(problem: Problem, found: EntryProblem) -> Refusal:
    entry, signature = problem.entry, problem.signature
    match found.kind:
        case "missing":
            return _missing(problem, found)
        case "not_callable":
            message = f"`{entry}` is {a(found.found)}, expected a function."
        case "class":
            message = f"`{entry}` is a class, expected a function."
        case "async":
            message = f"`{entry}` is an async function: calling it gives a coroutine, not a result."
        case "generator":
            message = f"`{entry}` is a generator: it has `yield` where `return` is expected."
        case "signature":
            message = f"`{entry}{found.found}` cannot be called as `{signature}`."
    helped = f"define `def {signature}:`."
    return Refusal(Verdict.NOT_LOADABLE, Finding("load", message, helped, None, found.kind))


def _missing(problem: Problem, found: EntryProblem) -> Refusal:
    lines = dict(found.names)
    near = closest(problem.entry, lines, ALIKE)
    message = f"the file defines no `{problem.entry}`."
    helped = f"define `def {problem.signature}:`."
    if near is not None:
        where = f", line {lines[near]}" if lines[near] > 0 else ""
        helped = f"did you mean `{near}`{where}? The name must be `{problem.entry}`."
    elif lines:
        helped = f"this file defines {', '.join(f'`{name}`' for name in list(lines)[:5])}. {helped}"
    return Refusal(Verdict.NOT_LOADABLE, Finding("load", message, helped, None, "missing"))


def _not_loadable(message: str, helped: str) -> Refusal:
    return Refusal(
        Verdict.NOT_LOADABLE, Finding("load", f"the file {message}", helped, None, "read")
    )


def open_fork(server: Server, problem: Problem) -> Session:
    """A fork for one solution, within the problem's limits."""
    limits = problem.limits
    return server.open_session(
        memory_mb=limits.memory_mb,
        output_kb=limits.output_kb,
        cpu_s=int(limits.import_s + limits.total_s) + _MORE_CPU_S,
    )


_MORE_CPU_S = 5
"""The wall clock ends a solution; this is for one that gets away from it."""


def load_solution(
    session: Session, problem: Problem, source: bytes, name: str, timeout_s: float
) -> LoadOutcome:
    """Load a file's bytes, under a name, and look its entry up."""
    optional = tuple(
        each.name
        for each in problem.inputs
        if isinstance(each, ScalarInput) and each.default is not None
    )
    return session.load(
        source,
        name=name,
        entry=problem.entry,
        required=tuple(each.name for each in problem.inputs if each.name not in optional),
        optional=optional,
        timeout_s=timeout_s,
    )
