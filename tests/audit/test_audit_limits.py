"""What the reference uses of its limits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.audit.bench import Bench
from grader.audit.limits import check_limits
from grader.grading.exam import Exam
from grader.problem.model import Problem
from grader.results import Finding, Report, Verdict
from grader.sandbox.client import Server
from tests.audit.audit_problem import make_scale


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    return make_scale(tmp_path)


def bench_of(problem: Problem, server: Server, folder: Path) -> Bench:
    return Bench(problem, (Exam(problem, 1, "cpu"),), server, folder)


@pytest.fixture
def report(problem: Problem, server: Server, tmp_path: Path) -> Report:
    """The reference, graded."""
    return bench_of(problem, server, tmp_path).grade(problem.reference)


def test_all_limits_are_measured(
    problem: Problem, server: Server, report: Report, tmp_path: Path
) -> None:
    """Times in seconds; memory beyond what an idle process holds, on both sides."""
    used, remarks = check_limits(bench_of(problem, server, tmp_path), [report])
    assert [each.resource for each in used] == ["import", "one case", "all cases", "memory"]
    assert [each.limit for each in used[:3]] == [5, 2, 20]
    assert all(0 <= each.used < each.limit for each in used)
    assert 100 < used[3].limit < 512
    assert remarks == []


def test_what_is_close_is_told_with_figures(
    problem: Problem, server: Server, report: Report, tmp_path: Path
) -> None:
    """Below four times what is used."""
    slow = replace(report, cases=(replace(report.cases[0], duration_s=0.51),))
    _, (remark,) = check_limits(bench_of(problem, server, tmp_path), [slow])
    assert (remark.check, remark.weight) == ("limit-close", "warning")
    assert "0.51 s of 2 s for one case" in remark.message


@pytest.mark.parametrize(
    ("verdict", "word"),
    [
        (Verdict.TIME_LIMIT, "time"),
        (Verdict.MEMORY_LIMIT, "memory"),
        (Verdict.OUTPUT_LIMIT, "output"),
    ],
)
def test_what_is_broken_is_told_alone(
    problem: Problem, server: Server, report: Report, tmp_path: Path, verdict: Verdict, word: str
) -> None:
    """Once, however many cases break it."""
    case = replace(report.cases[0], verdict=verdict, findings=(Finding("x", "too much."),))
    _, (remark,) = check_limits(
        bench_of(problem, server, tmp_path), [replace(report, cases=(case, case))]
    )
    assert (remark.check, remark.weight) == ("limit-broken", "fault")
    assert remark.message == f"the reference breaks the limit of {word}: too much."
