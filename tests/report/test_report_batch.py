"""Many reports on a terminal."""

from __future__ import annotations

from dataclasses import replace

from grader.report.batch import (
    Tally,
    has_judge_error,
    headline,
    render_batch_line,
    render_batch_summary,
)
from grader.results import Diagnosis, Finding, Report, Verdict
from tests.report.report_samples import accepted, case, crash, printed, report, wrong_answer


def tally_of(*reports: Report, not_graded: int = 0) -> Tally:
    tally = Tally(not_graded=not_graded)
    for one in reports:
        tally.add(one)
    return tally


def test_a_line_has_verdict_points_path_and_reason() -> None:
    """A class can be read from top to bottom."""
    assert printed(render_batch_line(wrong_answer()), 120) == (
        "✗ wrong answer   5.5/20.5  solutions/alice.py: The embedding is not among the sources\n"
    )
    assert printed(render_batch_line(accepted())) == (
        "✓ accepted          10/10  solutions/alice.py\n"
    )


def test_the_reason_is_the_most_that_is_known() -> None:
    """Mistakes by name, else the summary, else the first finding."""
    wrong = wrong_answer()
    plain = Diagnosis((), "no known mistake fits", 2)
    assert headline(replace(wrong, diagnosis=plain)) == "no known mistake fits"
    assert headline(replace(wrong, diagnosis=None, findings=(Finding("load", "no"),))) == "no"
    assert headline(replace(wrong, diagnosis=None, summary="why")) == "why"
    assert headline(accepted()) == ""


def test_the_summary_counts_and_repeats_the_first_failure() -> None:
    """Mistakes, verdicts, points, and the command, in this order."""
    tally = tally_of(accepted(), wrong_answer(), crash(), not_graded=1)
    assert printed(render_batch_summary(tally), 120) == (
        "\n"
        "mistakes: The embedding is not among the sources (1)\n"
        "3 solutions: 1 accepted, 1 wrong answer, 1 runtime error, 1 not graded; "
        "15.5 of 40.5 points\n"
        'repeat: python cli.py grade solutions/alice.py --seed 123 --case "worked example"\n'
    )


def test_an_interrupted_batch_says_what_is_left() -> None:
    """The partial summary is not mistaken for a whole one."""
    text = printed(render_batch_summary(tally_of(accepted()), total=5))
    assert text.endswith("! interrupted: 4 of 5 solutions left ungraded\n")


def test_a_batch_is_accepted_when_all_of_it_is() -> None:
    """A file that could not be graded spoils it, and an empty batch is none."""
    assert tally_of(accepted(), accepted()).all_accepted
    assert not tally_of(accepted(), wrong_answer()).all_accepted
    assert not tally_of(accepted(), not_graded=1).all_accepted
    assert not tally_of().all_accepted


def test_a_judge_error_in_one_case_is_counted() -> None:
    """Also where the verdict of the whole is another."""
    mixed = report(Verdict.WRONG_ANSWER, case("a", Verdict.JUDGE_ERROR))
    assert has_judge_error(mixed)
    assert tally_of(mixed, accepted()).judge_errors == 1
