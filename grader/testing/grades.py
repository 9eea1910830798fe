"""What one pytest process grades: the solutions that it was given, each once for each problem.

Nothing here needs torch before the first grade.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grader.cli.errors import CliError
from grader.cli.resolve import UngradableError, defined_names, find_problem, read, select
from grader.problem.catalog import SPEC, catalog, headers
from grader.problem.model import Problem
from grader.report.disclosure import for_audience
from grader.report.text import one_line, quoted
from grader.results import Report

if TYPE_CHECKING:
    from grader.testing.workshop import Workshop


@dataclass(frozen=True, slots=True)
class Solution:
    """A file to grade; `shown` is how the user named it."""

    path: Path
    shown: str


@dataclass(frozen=True, slots=True)
class Given:
    """One `--solution`: a file, or a folder's files."""

    text: str
    solutions: tuple[Solution, ...]
    is_folder: bool


@dataclass(frozen=True, slots=True)
class Failure:
    """There is no report: the problem is broken, or the machine lacks what was asked for."""

    message: str


class Grade:
    """One problem and one solution: graded when first asked, on the cases that are to run."""

    def __init__(self, grading: Grading, problem: Problem, solution: Solution) -> None:
        self.grading = grading
        self.problem = problem
        self.solution = solution
        self._report: Report | Failure | None = None

    def report(self, cases: Sequence[str]) -> Report | Failure:
        """As the audience may see it. `cases` are looked at the first time only."""
        if self._report is None:
            self._report = self.grading.grade(self, cases)
        return self._report


class Grading:
    """The solutions that were given, how to grade them, and the server that all of them share."""

    def __init__(self, config: pytest.Config, seed: int) -> None:
        """Raises UsageError for a `--solution` that cannot be graded."""
        self.config = config
        self.seed = seed
        self.passed_over: list[str] = []
        self._given = [self._resolve(text) for text in config.getoption("grader_solution")]
        self._matched: set[str] = set()
        self._entries: set[str] = set()
        self._workshop: Workshop | None = None

    def grades_of(self, problem: Problem, *, named: bool) -> list[Grade]:
        """The grades to make of a problem: of its reference, when no solution was given.

        named: pytest was pointed at just this problem, so a file that seems to solve none is meant
        for it.
        """
        self._entries.add(problem.entry)
        if not self._given:
            reference = problem.reference.resolve()
            return [Grade(self, problem, Solution(reference, self.shown(reference)))]
        entries = _entries_beside(problem)
        found: dict[Path, Grade] = {}
        for given in self._given:
            for solution in given.solutions:
                solved = _problems_of(solution.path, entries)
                if problem.id in solved or (named and not solved and not given.is_folder):
                    self._matched.add(given.text)
                    found.setdefault(solution.path, Grade(self, problem, solution))
        return list(found.values())

    def unmatched(self) -> dict[str, str]:
        """Each `--solution` that solves none of the problems that were read, and why that is."""
        asked = ", ".join(f"`{entry}`" for entry in sorted(self._entries))
        which = {False: "it defines none", True: "none of its files defines one"}
        return {
            each.text: f"{which[each.is_folder]} of the functions asked for: {asked}"
            if asked
            else f"there is no {SPEC} below the given paths"
            for each in self._given
            if each.text not in self._matched
        }

    def grade(self, grade: Grade, cases: Sequence[str]) -> Report | Failure:
        """Grade in the sandbox. What no solution is to blame for becomes a Failure."""
        from grader.grading.oracle import ReferenceFailed
        from grader.sandbox.failure import SandboxUnavailable

        path = grade.solution.path
        try:
            report = self._open().grade(grade.problem, path, seed=self.seed, cases=cases)
        except ReferenceFailed as broken:
            return Failure(f'the problem "{grade.problem.id}" is broken: {broken}')
        except SandboxUnavailable as missing:
            return Failure(f"nothing was graded: {missing}")
        except Exception as bug:
            if self.config.getoption("fulltrace"):
                raise
            words = f"{type(bug).__name__}: {one_line(str(bug))}"
            return Failure(f"the grader itself failed: {words}\n  help: --full-trace shows where")
        report = replace(report, solution=grade.solution.shown)
        return for_audience(report, self.config.getoption("grader_audience"))

    def repeat(self, target: str) -> str:
        """The command that runs an item again, with the same inputs."""
        words = ["pytest", quoted(target)]
        words += [f"--solution {quoted(each.text)}" for each in self._given]
        words.append(f"--grader-seed {self.seed}")
        for name, default in (("audience", "instructor"), ("sandbox", "auto")):
            value = self.config.getoption(f"grader_{name}")
            words += [] if value == default else [f"--grader-{name} {value}"]
        return " ".join(words)

    def shown(self, path: Path) -> str:
        """The path as seen from where pytest was called."""
        return os.path.relpath(path, self.config.invocation_params.dir)

    def _open(self) -> Workshop:
        from grader.testing.workshop import Workshop

        if self._workshop is None:
            self._workshop = Workshop(self.config.getoption("grader_sandbox"))
            self.config.add_cleanup(self._workshop.close)
        return self._workshop

    def _resolve(self, text: str) -> Given:
        try:
            selection = select([text])
        except CliError as error:
            helped = f"\n  help: {error.help}" if error.help else ""
            raise pytest.UsageError(f"--solution: {error.message}{helped}") from None
        self.passed_over += selection.passed_over
        solutions = tuple(Solution(path.absolute(), str(path)) for path in selection.files)
        return Given(text, solutions, is_folder=Path(text).is_dir())


def _entries_beside(problem: Problem) -> Mapping[str, str]:
    """The function that each problem of this root asks for, by the problem's id."""
    known = headers(catalog([problem.folder.parent]))
    return {each.id: each.entry or each.id for each in known} | {problem.id: problem.entry}


def _problems_of(path: Path, entries: Mapping[str, str]) -> Collection[str]:
    """The problems that a file solves; if none, the one that it seems to mean."""
    try:
        names = defined_names(read(path))
        exact = [id for id, entry in entries.items() if entry in names]
        return exact or [find_problem(path, entries)]
    except UngradableError:
        return ()
