"""`grader.testing`: what an author writes tests of a problem with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from grader import testing
from grader.problem.errors import ProblemInvalid
from grader.problem.model import Problem
from grader.results import Verdict
from grader.testing import (
    assert_accepted,
    assert_rejected,
    expected_of,
    grade,
    inputs_of,
    load_problem,
    stage,
    text_of,
    trap,
)
from tests.grading.grading_toy import RIGHT, STARTER, WRONG
from tests.report.report_samples import case, report
from tests.testing.testing_course import make_course


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Problem:
    return load_problem(make_course(tmp_path_factory.mktemp("course")).folder)


def test_a_source_is_graded(toy: Problem) -> None:
    """And the report names it, not the file that it was for a while."""
    found = grade(toy, RIGHT)
    assert_accepted(found)
    assert (found.solution, found.seed) == ("toy.py", 0)


def test_a_file_is_graded_on_the_cases_asked_for(toy: Problem, tmp_path: Path) -> None:
    """With those that they need."""
    path = tmp_path / "mine.py"
    path.write_text(WRONG)
    found = grade(toy, path, seed=3, cases=["turned"])
    assert [each.name for each in found.cases] == ["small", "turned"]
    assert_rejected(found, traps=["over_rows"], verdict="wrong_answer")


def test_a_path_as_text_is_refused(toy: Problem) -> None:
    """It would be graded as a source of one name."""
    with pytest.raises(ValueError, match=r'for a file write Path\("mine.py"\)'):
        grade(toy, "mine.py")


def test_a_broken_problem_tells_all() -> None:
    """As everywhere."""
    with pytest.raises(ProblemInvalid, match=r"there is no problem\.yaml"):
        load_problem("nowhere")


def test_a_failed_assertion_shows_the_report(toy: Problem) -> None:
    """As the terminal does."""
    found = grade(toy, STARTER)
    with pytest.raises(AssertionError, match="nothing implemented yet") as raised:
        assert_accepted(found)
    first, _, rest = str(raised.value).partition("\n\n")
    assert first == "expected accepted, actual runtime_error"
    assert rest == text_of(found)


@pytest.mark.parametrize(
    ("verdict", "options", "message"),
    [
        (Verdict.ACCEPTED, {}, "expected a rejection, actual accepted"),
        (Verdict.JUDGE_ERROR, {}, "expected a rejection, actual judge_error"),
        (Verdict.WRONG_ANSWER, {"traps": ["b", "a"]}, "expected a, b to be named, actual no trap"),
        (Verdict.WRONG_ANSWER, {"verdict": "time_limit"}, "expected time_limit, actual wrong_ans"),
    ],
)
def test_a_rejection_must_be_the_one_expected(
    verdict: Verdict, options: dict[str, object], message: str
) -> None:
    """The first line says what it is instead."""
    with pytest.raises(AssertionError, match=f"^{message}"):
        assert_rejected(report(verdict, case("a", verdict)), **options)  # type: ignore[arg-type]


def test_no_trap_can_be_asked_for() -> None:
    """An empty list is not the same as none given."""
    assert_rejected(report(Verdict.WRONG_ANSWER, case("a", Verdict.WRONG_ANSWER)), traps=[])


def test_inputs_are_those_of_a_call(toy: Problem) -> None:
    """In the order of the parameters, in their layout; what has a default is left out."""
    turned, no_rows = inputs_of(toy, "turned", seed=2), inputs_of(toy, "no rows")
    assert list(turned) == ["x", "bias"]
    assert not turned["x"].is_contiguous()
    assert no_rows["factor"] == 3
    assert turned["x"].equal(inputs_of(toy, "turned", seed=2)["x"])


def test_right_stages_are_what_is_expected(toy: Problem) -> None:
    """Two implementations, one truth."""
    expected = expected_of(toy, "small", seed=1)
    torch.testing.assert_close(stage(toy, "parts", "small", seed=1), expected["shares"])
    torch.testing.assert_close(stage(toy, "sums", "small", seed=1), expected["total"])


def test_results_are_the_caller_s_own(toy: Problem) -> None:
    """To change one changes no later one."""
    expected_of(toy, "small")["total"].zero_()
    stage(toy, "sums", "small").zero_()
    assert bool(expected_of(toy, "small")["total"].count_nonzero())
    assert bool(stage(toy, "sums", "small").count_nonzero())


def test_a_trap_gives_wrong_outputs(toy: Problem) -> None:
    """Only where it shows; its ways may be the same in effect."""
    expected = expected_of(toy, "small")
    one, other = (trap(toy, "over_rows", way, case="small") for way in (0, 1))
    torch.testing.assert_close(one, other)
    torch.testing.assert_close(one["total"], expected["total"])
    assert not torch.allclose(one["shares"], expected["shares"])


def test_a_free_constant_is_given(toy: Problem) -> None:
    """And must be."""
    raised = trap(toy, "raised", case="small", constant=2.5)["total"]
    torch.testing.assert_close(raised, expected_of(toy, "small")["total"] + 2.5)
    with pytest.raises(ValueError, match="has a free constant: give constant="):
        trap(toy, "raised", case="small")


def test_what_is_not_there_is_said(toy: Problem) -> None:
    """With the name that is near."""
    with pytest.raises(LookupError, match=r'"toy" has no case "smal"; did you mean "small"\?'):
        inputs_of(toy, "smal")
    with pytest.raises(LookupError, match=r'"toy" has no stage "part"; did you mean "parts"\?'):
        stage(toy, "part", "small")
    with pytest.raises(LookupError, match=r'stages\.py of "toy" has no trap "over_row"'):
        trap(toy, "over_row", case="small")
    with pytest.raises(LookupError, match='trap "over_rows" has the ways 0 to 1, not 2'):
        trap(toy, "over_rows", 2, case="small")


def test_what_has_no_values_is_said(toy: Problem) -> None:
    """A case on the meta device, and a step that raises."""
    assert expected_of(toy, "elsewhere") == {}
    with pytest.raises(ValueError, match='case "elsewhere" has no values'):
        stage(toy, "parts", "elsewhere")
    with pytest.raises(ValueError, match='trap "broken" has no result in the case "small"'):
        trap(toy, "broken", case="small")


def test_the_package_has_these_names_alone() -> None:
    """Each of which can be had."""
    assert all(callable(getattr(testing, name)) for name in testing.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        testing.nothing  # noqa: B018  the attribute is the test


def test_the_package_is_imported_without_torch() -> None:
    """pytest reads problems through it, also only to list them."""
    code = (
        "import sys, grader.pytest_plugin, grader.testing.items; sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
