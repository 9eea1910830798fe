"""The worked example of problems/README.md: a problem that is no attention, and has whole numbers.

`right/` and `wrong/` say on their first lines what must come of them. A line of a wrong solution
that ends in `# <- mistake` is the one that must be pointed at.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.audit.run import audit_problem
from grader.grading.computation import load_computation
from grader.grading.exam import Exam
from grader.grading.grade import grade_solution
from grader.problem.load import load
from grader.results import Report, Verdict
from grader.sandbox.client import Server, start_fresh

HOME = Path(__file__).parent
PROBLEM = load(HOME)
RIGHT = sorted(HOME.glob("right/*.py"))
WRONG = sorted(HOME.glob("wrong/*.py"))
ROUNDING = 1 / 3
"""How much of its tolerance a right solution may use."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with start_fresh().settle("auto") as started:
        yield started


@pytest.fixture(scope="module", params=[1, 2])
def exam(request: pytest.FixtureRequest) -> Exam:
    """The problem at a seed."""
    return Exam(PROBLEM, request.param, "cpu")


def named(report: Report) -> list[str]:
    return [trap.id for trap in report.diagnosis.traps] if report.diagnosis else []


def promised(path: Path) -> list[str]:
    """The traps on the second line; none where it promises none."""
    first, second = path.read_text(encoding="utf-8").splitlines()[:2]
    assert first == "# verdict: wrong_answer"
    _, is_there, traps = second.partition("# traps: ")
    return traps.split(", ") if is_there else []


def marked(path: Path) -> int | None:
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((n for n, line in enumerate(lines, 1) if line.endswith("# <- mistake")), None)


@pytest.mark.parametrize("path", [PROBLEM.reference, *RIGHT], ids=lambda path: path.stem)
def test_right_solutions_are_accepted(exam: Exam, server: Server, path: Path) -> None:
    """The reference and other forms, far from the limit of every tolerance."""
    report = grade_solution(exam, path, server)
    assert (report.verdict, report.score) == (Verdict.ACCEPTED, PROBLEM.points), report.summary
    assert max(case.largest_error or 0.0 for case in report.cases) < ROUNDING


def test_the_starter_is_not_implemented(exam: Exam, server: Server) -> None:
    """It gets no points, and no mistake is named."""
    report = grade_solution(exam, PROBLEM.starter, server)
    assert (report.verdict, report.score) == (Verdict.RUNTIME_ERROR, 0)
    assert report.summary == "nothing implemented yet."
    assert named(report) == []


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_mistakes_are_named(exam: Exam, server: Server, path: Path) -> None:
    """Exactly, whatever the style; and the line is found where it is marked."""
    report = grade_solution(exam, path, server)
    assert report.verdict is Verdict.WRONG_ANSWER
    assert named(report) == promised(path), report.summary
    assert report.diagnosis is not None
    assert report.diagnosis.alternatives == ()
    line = marked(path)
    assert line in (None, report.diagnosis.line)


def test_labels_are_whole_numbers(exam: Exam) -> None:
    """From 0 to one less than there are classes, and not all alike."""
    case = next(case for case in PROBLEM.cases if case.name == "large logits")
    labels = next(
        each.value for each in exam.prepared(case).main.call.arguments if each.name == "labels"
    )
    assert str(labels.dtype) == "torch.int64"  # type: ignore[union-attr] # a tensor
    assert set(labels.tolist()) <= set(range(case.dims["classes"]))  # type: ignore[union-attr]


def test_stages_and_spec_name_the_same_traps() -> None:
    """And each stage that is told has its formula."""
    assert {choice.trap for choice in load_computation(PROBLEM).choices()} == {
        trap.id for trap in PROBLEM.traps.values() if trap.stage != "contract"
    }
    assert all(stage.formula for stage in PROBLEM.stages.values())


def test_its_audit_is_clean(server: Server) -> None:
    """As the guide promises."""
    audit = audit_problem(PROBLEM, server, seeds=3, combinations_s=2.0)
    assert [remark.message for remark in audit.remarks] == []
