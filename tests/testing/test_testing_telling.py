"""A case of a report as pytest is told of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.results import CaseResult, Finding, Verdict
from grader.testing.telling import Fate, fate_of, reason_of, told
from tests.report.report_samples import case, report, wrong_answer

NEEDS = case("later", Verdict.SKIPPED, findings=(Finding("needs", 'needs "first".'),))
NOT_RUN = case("later", Verdict.SKIPPED, findings=(Finding("skipped", "it exits."),))
UNCLEAR = case("later", Verdict.SKIPPED, findings=(Finding("inconclusive", "no values."),))
FAILED = case("first", Verdict.WRONG_ANSWER)


@pytest.mark.parametrize(
    ("cases", "verdict", "fate"),
    [
        ([case("later")], Verdict.ACCEPTED, "passed"),
        ([case("later")], Verdict.JUDGE_ERROR, "passed"),
        ([case("later", Verdict.TIME_LIMIT)], Verdict.TIME_LIMIT, "failed"),
        ([case("later", Verdict.JUDGE_ERROR)], Verdict.JUDGE_ERROR, "error"),
        ([case("later", Verdict.NOT_LOADABLE)], Verdict.NOT_LOADABLE, "error"),
        ([UNCLEAR], Verdict.JUDGE_ERROR, "skipped"),
        ([FAILED, NEEDS], Verdict.WRONG_ANSWER, "skipped"),
        ([NOT_RUN], Verdict.NOT_LOADABLE, "error"),
        ([NOT_RUN], Verdict.JUDGE_ERROR, "error"),
        ([NOT_RUN], Verdict.TIME_LIMIT, "failed"),
    ],
)
def test_each_verdict_has_a_fate(cases: list[CaseResult], verdict: Verdict, fate: Fate) -> None:
    """An import that never ends fails all; a file that is none, or a failure of ours, is an error.

    What says nothing against a solution is skipped.
    """
    assert fate_of(report(verdict, *cases), cases[-1], ["first", "later"]) == fate


def test_alone_a_case_that_was_not_run_fails() -> None:
    """What failed in its place is no test of this run."""
    assert fate_of(report(Verdict.WRONG_ANSWER, FAILED, NEEDS), NEEDS, ["later"]) == "failed"


def test_a_case_is_told_as_on_a_terminal() -> None:
    """Cause, case and points; with a command that is pytest's."""
    given = wrong_answer()
    text = told(given, given.cases[0], "pytest x::y")
    first, *_, last = text.splitlines()
    assert first == "wrong answer: the embedding is not among the sources"
    assert last == "repeat: pytest x::y"
    assert 'Case "worked example"' in text
    assert "Why it fails" in text
    assert "0 of 5 points; 0 of 1 case accepted" in text
    assert "mixed magnitudes" not in text


def test_without_a_known_mistake_the_finding_comes_first() -> None:
    """Of this very case."""
    given = replace(wrong_answer(), diagnosis=None)
    first = told(given, given.cases[1], "").splitlines()[0]
    assert first == f"wrong answer: {given.cases[1].findings[0].message}"


def test_of_a_case_not_run_what_failed_is_told() -> None:
    """Else nothing would."""
    given = wrong_answer()
    text = told(given, given.cases[2], "")
    assert text.startswith("wrong answer: the embedding")
    assert 'Case "worked example"' in text
    assert "strided inputs" in text


def test_a_skipped_case_has_a_reason() -> None:
    """On one line."""
    assert reason_of(NEEDS) == 'needs "first".'
    assert reason_of(case("later", Verdict.SKIPPED)) == "it was not run"
