"""The nodes of the pytest plugin: a problem.yaml, the solutions of it, and the cases as items."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.problem import yaml12
from grader.problem.errors import ProblemInvalid
from grader.problem.load import load
from grader.problem.model import Problem
from grader.results import CaseResult, Report
from grader.testing.grades import Failure, Grade, Grading
from grader.testing.telling import fate_of, reason_of, told


class ProblemFile(pytest.File):
    """A problem.yaml: its cases, below the name of each solution when there are several."""

    def __init__(self, *, grading: Grading, named: bool, **rest: Any) -> None:
        super().__init__(**rest)
        self.grading = grading
        self.named = named
        self.is_read = False

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        problem = self._load()
        self.is_read = True
        lines = _case_lines(self.path, len(problem.cases))
        grades = self.grading.grades_of(problem, named=self.named)
        if len(grades) == 1:
            yield from _items(self, grades[0], lines)
            return
        names = [grade.solution.path.name for grade in grades]
        for grade, name in zip(grades, names, strict=True):
            label = name if names.count(name) == 1 else grade.solution.shown
            yield SolutionNode.from_parent(self, name=label, grade=grade, lines=lines)

    def _load(self) -> Problem:
        try:
            return load(self.path.parent)
        except ProblemInvalid as invalid:
            mistakes = [replace(e, file=Path(self.grading.shown(e.file))) for e in invalid.errors]
            raise self.CollectError("\n".join(map(str, mistakes))) from None


class SolutionNode(pytest.Collector):
    """One of several solutions of a problem."""

    def __init__(self, *, grade: Grade, lines: Sequence[int], **rest: Any) -> None:
        super().__init__(**rest)
        self.grade = grade
        self.lines = lines

    def collect(self) -> Iterable[pytest.Item]:
        return _items(self, self.grade, self.lines)


class CaseItem(pytest.Item):
    """One case. To set the first one up is to grade; what goes wrong there is no case's failure."""

    def __init__(self, *, grade: Grade, line: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.grade = grade
        self.line = line
        self.result: CaseResult | None = None

    def setup(self) -> None:
        report, result = self._graded()
        self.result = result
        self.user_properties += [
            ("verdict", result.verdict.value),
            ("points", str(result.score)),
            ("max_points", str(result.max_score)),
            ("seed", str(report.seed)),
        ]
        if fate_of(report, result, self._selected()) == "error":
            pytest.fail(self._told(report, result), pytrace=False)

    def runtest(self) -> None:
        report, result = self._graded()
        fate = fate_of(report, result, self._selected())
        if fate == "failed":
            pytest.fail(self._told(report, result), pytrace=False)
        if fate == "skipped":
            pytest.skip(reason_of(result))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.line, f"{self.grade.problem.id}: {self.name}"

    def amend(self, report: pytest.TestReport) -> None:
        """The call took as long as the solution's; a failure or skip is at a line of problem.yaml,
        not at one of ours."""
        place = self.grade.grading.shown(self.path), self.line + 1
        if report.when == "call" and self.result is not None:
            report.duration = self.result.duration_s
            if report.skipped:
                report.longrepr = (*place, f"Skipped: {reason_of(self.result)}")
        crash = getattr(report.longrepr, "reprcrash", None)
        if crash is not None:
            crash.path, crash.lineno = place
            crash.message = crash.message.removeprefix("Failed: ").partition("\n")[0]

    def _graded(self) -> tuple[Report, CaseResult]:
        report = self.grade.report(self._selected())
        if isinstance(report, Failure):
            pytest.fail(report.message, pytrace=False)
        return report, next(case for case in report.cases if case.name == self.name)

    def _selected(self) -> list[str]:
        """The cases of this grade that pytest runs."""
        items = (item for item in self.session.items if isinstance(item, CaseItem))
        return [item.name for item in items if item.grade is self.grade]

    def _told(self, report: Report, result: CaseResult) -> str:
        grading, names = self.grade.grading, self.nodeid.partition("::")[2]
        return told(report, result, grading.repeat(f"{grading.shown(self.path)}::{names}"))


class UnmatchedItem(pytest.Item):
    """A `--solution` that solves none of the problems: an error, lest it is overlooked."""

    def __init__(self, *, message: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.message = message

    def setup(self) -> None:
        pytest.fail(f"--solution {self.name}: {self.message}", pytrace=False)

    def runtest(self) -> None:
        """Never reached."""

    def reportinfo(self) -> tuple[str, None, str]:
        return self.name, None, self.name


class Hooks:
    """The hooks that only a run with problems needs; registered when the first one is met."""

    def __init__(self, grading: Grading) -> None:
        self.grading = grading
        self.files: list[ProblemFile] = []

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """A solution without a problem is told after `-k` and its like; not where a problem was
        broken, or left out by `--lf`: it may be that one's."""
        if all(file.is_read for file in self.files):
            for name, message in self.grading.unmatched().items():
                items.append(UnmatchedItem.from_parent(session, name=name, message=message))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if isinstance(item, CaseItem):
            item.amend(report)
        return report


def _case_lines(file: Path, count: int) -> list[int]:
    """The line at which each case begins, from 0."""
    document = yaml12.read(file.read_bytes(), file)
    return [document.node(("cases", index)).line - 1 for index in range(count)]


def _items(parent: pytest.Collector, grade: Grade, lines: Sequence[int]) -> Iterator[CaseItem]:
    for case, line in zip(grade.problem.cases, lines, strict=True):
        item = CaseItem.from_parent(parent, name=case.name, grade=grade, line=line)
        item.extra_keyword_matches.update((case.visibility, grade.problem.id))
        yield item
