"""A small problem, and one fork server for all tests of grading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.grading.exam import Exam
from grader.grading.grade import grade_solution
from grader.problem.model import Problem
from grader.results import Report
from grader.sandbox.client import Server, start_fresh
from tests.grading.grading_files import ROOT, SOLUTIONS
from tests.grading.grading_solutions import SEEDS
from tests.grading.grading_toy import make_problem

Grade = Callable[..., Report]


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Problem:
    """The small problem of `grading_toy`."""
    return make_problem(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="session")
def exam(toy: Problem) -> Exam:
    """The small problem at seed 1."""
    return Exam(toy, 1, "cpu")


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A fork server with all that this machine can enforce."""
    with start_fresh().settle("auto") as started:
        yield started


@pytest.fixture
def grade(exam: Exam, server: Server, tmp_path: Path) -> Grade:
    """Grades the text of a solution of the small problem; options as of `grade_solution`."""

    def grade_text(source: str, **options: object) -> Report:
        path = tmp_path / "mine.py"
        path.write_text(source)
        return grade_solution(exam, path, server, **options)  # type: ignore[arg-type]

    return grade_text


@pytest.fixture(scope="session")
def strict_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all, from which problems, references and the submissions are kept."""
    private = [str(ROOT / "problems"), str(ROOT / "solutions"), str(SOLUTIONS)]
    with start_fresh().settle("auto", private=private) as server:
        yield server


@pytest.fixture(params=SEEDS)
def seed(request: pytest.FixtureRequest) -> int:
    return int(request.param)
