"""What a learner is told of hidden cases."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from grader.report.disclosure import for_audience
from grader.report.json_report import to_json
from grader.report.terminal import render
from grader.results import Diagnosis, Finding, Frame, Report, Verdict
from tests.report.report_samples import TRAP, case, crash, printed, report, wrong_answer

SECRET = "31415.9265"


def leaky(verdict: Verdict, **changes: object) -> Report:
    """A hidden case with the secret in everything that a solution or a check can write to."""
    hidden = case(
        "a hidden case",
        verdict,
        findings=(Finding("error", f"ValueError: {SECRET}", help=SECRET, output=SECRET),),
        frames=(Frame(3, SECRET, SECRET),),
        output=SECRET,
        output_cut=True,
        description=f"width {SECRET}",
        hint="look at the sources",
        largest_error=float(SECRET),
        duration_s=float(SECRET),
    )
    return report(verdict, hidden, output=SECRET, **changes)


def test_the_instructor_sees_all() -> None:
    """The instructor's report is the report."""
    assert for_audience(wrong_answer(), "instructor") == wrong_answer()


@pytest.mark.parametrize("verdict", list(Verdict))
def test_nothing_of_a_hidden_case_is_told(verdict: Verdict) -> None:
    """No format shows what a solution printed, raised or returned in a hidden case."""
    shown = for_audience(leaky(verdict), "learner")
    if verdict not in (Verdict.NOT_LOADABLE, Verdict.SKIPPED):
        assert SECRET not in json.dumps(to_json(shown))
        assert SECRET not in printed(render(shown, verbose=True))
        assert SECRET not in repr(shown)
    assert SECRET not in repr(shown.cases)


def test_name_verdict_score_and_hint_are_told() -> None:
    """What is left of a failed hidden case is what the author wrote for it."""
    shown = for_audience(wrong_answer(), "learner").cases[1]
    assert (shown.name, shown.verdict, shown.max_score) == ("mixed magnitudes", "wrong_answer", 5)
    assert shown.findings == (Finding(check="hidden", message="look at sources"),)


@pytest.mark.parametrize("verdict", [Verdict.ACCEPTED, Verdict.SKIPPED, Verdict.JUDGE_ERROR])
def test_a_hint_is_for_failures_only(verdict: Verdict) -> None:
    """A case that was not failed by the solution gives no hint."""
    shown = for_audience(leaky(verdict), "learner").cases[0]
    assert (shown.findings, shown.hint) == ((), "")


@pytest.mark.parametrize("check", ["needs", "skipped", "inconclusive"])
def test_why_a_hidden_case_was_not_run_is_told(check: str) -> None:
    """The reason is the grader's, and without it a row of skipped cases is a riddle."""
    why = Finding(check, 'needs "generic", which failed.')
    skipped = report(Verdict.WRONG_ANSWER, case("x", Verdict.SKIPPED, findings=(why,), hint="h"))
    assert for_audience(skipped, "learner").cases[0].findings == (why,)


def diagnosed(*, traps: bool) -> Report:
    """A diagnosis whose words and evidence come from a hidden case, and its line from the trace."""
    diagnosis = Diagnosis(
        traps=(TRAP,) if traps else (),
        summary=TRAP.title if traps else f"raised ValueError: {SECRET} (case x)",
        failed_cases=1,
        line=5,
        source="weights = logits",
        last_right_line=4,
        case="a hidden case",
        evidence=SECRET,
    )
    return leaky(Verdict.RUNTIME_ERROR, diagnosis=diagnosis, summary=diagnosis.summary)


@pytest.mark.parametrize("traps", [True, False])
def test_a_diagnosis_from_a_hidden_case_keeps_only_the_author_s_words(traps: bool) -> None:
    """The mistake is named where it is known; else the hint stands in; never a message. The line is
    the learner's own."""
    shown = for_audience(diagnosed(traps=traps), "learner")
    assert SECRET not in repr(shown)
    assert shown.diagnosis is not None
    assert (shown.diagnosis.line, shown.diagnosis.source) == (5, "weights = logits")
    expected = TRAP.title if traps else 'look at the sources (case "a hidden case")'
    assert (shown.diagnosis.summary, shown.summary) == (expected, expected)


def test_a_diagnosis_from_a_public_case_is_told_whole() -> None:
    """Its line and words are what the learner needs; all but why it is wrong, and the evidence."""
    told = wrong_answer().diagnosis
    assert told is not None
    traps = tuple(replace(trap, why="") for trap in told.traps)
    expected = replace(told, traps=traps, evidence="")
    assert for_audience(wrong_answer(), "learner").diagnosis == expected


def test_why_a_mistake_is_one_is_for_instructors() -> None:
    """The learner is left to find out, by the hint."""
    diagnosis = Diagnosis((replace(TRAP, why="because"),), "x", 1, evidence="to 2e-7")
    told = report(Verdict.WRONG_ANSWER, case("x"), diagnosis=diagnosis)
    assert "because" not in repr(for_audience(told, "learner"))
    assert "2e-7" not in repr(for_audience(told, "learner"))
    assert for_audience(told, "instructor") == told


def test_public_cases_are_told_whole() -> None:
    """A public case keeps its findings, frames and output."""
    assert for_audience(crash(), "learner").cases[0] == crash().cases[0]


def test_output_of_a_file_that_never_loaded_is_told() -> None:
    """It was printed before any hidden input was there."""
    failed = report(Verdict.NOT_LOADABLE, case("x", Verdict.NOT_LOADABLE), output="at import")
    assert for_audience(failed, "learner").output == "at import"


def test_output_is_dropped_once_a_hidden_case_ran() -> None:
    """A process that saw hidden inputs may have printed them anywhere."""
    ran = replace(wrong_answer(), output="at import", output_cut=True)
    shown = for_audience(ran, "learner")
    assert (shown.output, shown.output_cut) == ("", False)
