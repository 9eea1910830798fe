"""The functions of `grader.testing`: a problem's grades, its inputs, its stages and traps."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from torch import Tensor

from grader.problem.load import load
from grader.problem.model import Case, Problem, ScalarInput
from grader.problem.names import close_name
from grader.report.layout import Trimmed
from grader.report.terminal import render
from grader.results import Report, Verdict
from grader.stages import Choice, Computation, Evaluation, Fitted
from grader.tensors.generate import make_inputs
from grader.testing.workshop import shared


def load_problem(folder: str | Path) -> Problem:
    """The problem of a folder. Raises ProblemInvalid with every mistake of its problem.yaml."""
    return load(Path(folder).absolute())


def grade(
    problem: Problem, solution: str | Path, *, seed: int = 0, cases: Sequence[str] | None = None
) -> Report:
    """Grade a solution: a `str` is its source, a `Path` its file. The report is the instructor's.

    cases: only those of these names, and those that they need. Raises ReferenceFailed when the
    problem itself is broken; never for what a solution does.
    """
    for name in cases or ():
        _case(problem, name)
    if isinstance(solution, Path):
        return shared().grade(problem, solution, seed=seed, cases=cases)
    if "\n" not in solution and solution.endswith(".py"):
        raise ValueError(f'a text is taken as source; for a file write Path("{solution}")')
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{problem.id}.py")
        path.write_text(solution, encoding="utf-8")
        report = shared().grade(problem, path, seed=seed, cases=cases)
    return replace(report, solution=path.name)


def assert_accepted(report: Report) -> None:
    """Fail with the report as a terminal shows it, unless the solution was accepted."""
    __tracebackhide__ = True
    if report.verdict is not Verdict.ACCEPTED:
        raise AssertionError(f"expected accepted, actual {report.verdict}\n\n{text_of(report)}")


def assert_rejected(
    report: Report, traps: Iterable[str] | None = None, *, verdict: Verdict | str | None = None
) -> None:
    """Fail with the report unless the solution was rejected, by exactly these traps if given.

    traps: ids, in any order; an empty list says that no mistake may be named. A failure of the
    grader itself rejects nothing.
    """
    __tracebackhide__ = True
    missed = _missed(report, None if traps is None else set(traps), verdict)
    if missed:
        raise AssertionError(f"{missed}\n\n{text_of(report)}")


def text_of(report: Report, *, width: int = 80) -> str:
    """The report as a terminal of this width shows it, without colour."""
    stream = StringIO()
    console = Console(
        file=stream, width=width, color_system=None, force_terminal=False, legacy_windows=False
    )
    console.print(Trimmed(render(report, command="tensor-grader grade")), crop=False)
    return stream.getvalue().rstrip("\n")


def inputs_of(problem: Problem, case: str, seed: int = 0) -> dict[str, Any]:
    """The arguments of the case's call, by parameter, as a solution gets them on the CPU.

    They are made anew each time. A number that the case leaves to its default is absent.
    """
    made = make_inputs(problem, _case(problem, case), seed)
    given: dict[str, Any] = {**made.tensors, **made.scalars}
    return {each.name: given[each.name] for each in problem.inputs if each.name in given}


def expected_of(problem: Problem, case: str, seed: int = 0) -> dict[str, Tensor]:
    """What the reference gives in float64, by output; nothing in a case without values."""
    targets = shared().exam(problem, seed).prepared(_case(problem, case)).main.targets
    return {each.output.name: each.values.clone() for each in targets if each.values is not None}


def stage(problem: Problem, name: str, case: str, seed: int = 0) -> Tensor:
    """The right result of a stage of stages.py in a case, in float64."""
    computation, evaluation = _evaluation(problem, case, seed)
    names = [each.name for each in computation.stages]
    _require(name, names, f'"{problem.id}" has no stage "{name}"')
    return _result(evaluation.stage(name, (), {}), f'stage "{name}"', case)


def trap(
    problem: Problem,
    id: str,
    way: int = 0,
    *,
    case: str,
    seed: int = 0,
    constant: float | None = None,
) -> dict[str, Tensor]:
    """What a solution returns that makes this mistake alone, by output, in float64.

    way: which of the ways that stages.py lists for it, from 0. constant: the value of a step that
    has a free one (`Fitted`).
    """
    computation, evaluation = _evaluation(problem, case, seed)
    choice = _choice(computation, id, way, problem.id)
    fitted = [each for each in choice.steps.values() if isinstance(each, Fitted)]
    if fitted and constant is None:
        raise ValueError(f'way {way} of the trap "{id}" has a free constant: give constant=')
    constants = _constants(fitted, constant)
    return {
        output: _result(evaluation.output(output, [choice], constants), f'trap "{id}"', case)
        for output in computation.outputs
    }


def _missed(report: Report, traps: set[str] | None, verdict: Verdict | str | None) -> str:
    """What the report should be and is not, in a line; empty when it is."""
    if verdict is not None and report.verdict != verdict:
        return f"expected {verdict}, actual {report.verdict}"
    if report.verdict in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR):
        return f"expected a rejection, actual {report.verdict}"
    named = {each.id for each in report.diagnosis.traps} if report.diagnosis else set()
    if traps is not None and named != traps:
        return f"expected {_listed(traps)} to be named, actual {_listed(named)}"
    return ""


def _listed(traps: set[str]) -> str:
    return ", ".join(sorted(traps)) or "no trap"


def _case(problem: Problem, name: str) -> Case:
    names = [case.name for case in problem.cases]
    _require(name, names, f'"{problem.id}" has no case "{name}"')
    return problem.cases[names.index(name)]


def _require(name: str, known: Sequence[str], message: str) -> None:
    if name not in known:
        raise LookupError(f"{message}; {close_name(name, known)}")


def _evaluation(problem: Problem, case: str, seed: int) -> tuple[Computation, Evaluation]:
    """The problem's stages, on the inputs of a case in float64, defaults filled in."""
    computation = shared().exam(problem, seed).computation()
    if computation is None:
        raise LookupError(f'"{problem.id}" has no stages.py')
    asked = _case(problem, case)
    if asked.device == "meta":
        raise ValueError(f'case "{case}" has no values: it runs on the meta device')
    defaults = {each.name: each.default for each in problem.inputs if isinstance(each, ScalarInput)}
    given = {name: _double(value) for name, value in inputs_of(problem, case, seed).items()}
    return computation, Evaluation(computation, defaults | given, getattr(torch, asked.dtype))


def _double(value: Any) -> Any:
    """Tensors in float64, as a diagnosis evaluates them; numbers as they are."""
    return value.to(torch.float64) if isinstance(value, Tensor) else value


def _choice(computation: Computation, id: str, way: int, problem_id: str) -> Choice:
    choices = list(computation.choices())
    known = [choice.trap for choice in choices]
    _require(id, known, f'stages.py of "{problem_id}" has no trap "{id}"')
    ways = [choice for choice in choices if choice.trap == id]
    if not 0 <= way < len(ways):
        raise LookupError(f'trap "{id}" has the ways 0 to {len(ways) - 1}, not {way}')
    return ways[way]


def _constants(fitted: Sequence[Fitted], constant: float | None) -> dict[int, float]:
    """The constant of each fitted step, in the form that an `Evaluation` takes."""
    return {} if constant is None else {id(step): constant for step in fitted}


def _result(value: Tensor | None, what: str, case: str) -> Tensor:
    if value is None:
        raise ValueError(f'{what} has no result in the case "{case}": a step raises there')
    return value.clone()
