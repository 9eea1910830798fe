"""What every check of an audit works on: the problem at its seeds, and a server to grade in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor

from grader.grading.exam import Exam, PreparedCase
from grader.grading.grade import grade_solution
from grader.problem.model import Case, Problem, ScalarInput
from grader.results import Report, Verdict
from grader.sandbox.client import Server

Progress = Callable[[str, int, int], None]
"""What is under way, how much of it is done, and how much there is."""

FAILED = frozenset(Verdict) - {Verdict.ACCEPTED, Verdict.SKIPPED}
HALVES = (torch.float16, torch.bfloat16)

T = TypeVar("T")


def silent(what: str, done: int, total: int) -> None:
    """Progress that nobody asked for."""


@dataclass(frozen=True, slots=True)
class Bench:
    """A problem at each seed, and a server. `folder` is for files that are made to be graded."""

    problem: Problem
    exams: tuple[Exam, ...]
    server: Server
    folder: Path
    progress: Progress = silent

    @property
    def exam(self) -> Exam:
        """The problem at the first seed."""
        return self.exams[0]

    def cases(self) -> list[Case]:
        """The cases in the order in which they are put: public ones first."""
        return sorted(self.problem.cases, key=lambda case: case.visibility == "hidden")

    def valued(self, exam: Exam) -> list[PreparedCase]:
        """The cases that compare values, in that order."""
        return [exam.prepared(case) for case in self.cases() if case.device != "meta"]

    def grade(self, path: Path, exam: Exam | None = None, case: Case | None = None) -> Report:
        """The grade of a file, at the first seed unless said otherwise; on one case, or on all."""
        names = None if case is None else (case.name,)
        return grade_solution(exam or self.exam, path, self.server, cases=names)

    def write(self, name: str, source: str) -> Path:
        """A file to be graded."""
        path = self.folder / f"{name}.py"
        path.write_text(source, encoding="utf-8")
        return path

    def each(
        self, what: str, items: Sequence[T], grade: Callable[[T], Report]
    ) -> Iterator[tuple[T, Report]]:
        """Each item with its report, some at a time, in their order."""
        pool = ThreadPoolExecutor(max_workers=os.cpu_count() or 1)
        try:
            for done, report in enumerate(pool.map(grade, items)):
                self.progress(what, done + 1, len(items))
                yield items[done], report
        finally:
            pool.shutdown(cancel_futures=True)  # after an interrupt, what waits is not begun


def given(problem: Problem, prepared: PreparedCase) -> dict[str, Any]:
    """The inputs of a case as a reference gets them: in float64, with all defaults."""
    defaults = {
        each.name: each.default
        for each in problem.inputs
        if isinstance(each, ScalarInput) and each.default is not None
    }
    arguments = {each.name: _double(each.value) for each in prepared.main.call.arguments}
    return {**defaults, **arguments}


def dtype_of(prepared: PreparedCase) -> torch.dtype:
    """The dtype of a case, as torch has it."""
    found = getattr(torch, prepared.case.dtype)
    assert isinstance(found, torch.dtype)
    return found


def files_beside(problem: Problem, kind: str) -> list[Path]:
    """Solutions with a known verdict: of the problem's own folder, then of a checkout's tests."""
    checkout = problem.folder.resolve().parents[1]
    folders = (problem.folder / kind, checkout / "tests" / "solutions" / kind / problem.id)
    return [path for folder in folders for path in sorted(folder.glob("*.py"))]


def largest_errors(problem: Problem, reports: Sequence[Report]) -> Mapping[str, float]:
    """By dtype, the largest error of all cases, in tolerances."""
    dtypes = {case.name: case.dtype for case in problem.cases}
    largest: dict[str, float] = {}
    for report in reports:
        for case in report.cases:
            if case.largest_error is not None:
                dtype = dtypes[case.name]
                largest[dtype] = max(largest.get(dtype, 0.0), case.largest_error)
    return largest


def _double(value: object) -> object:
    if isinstance(value, Tensor) and value.is_floating_point():
        return value.detach().to(torch.float64)
    return value
