"""Who may see what of a report: the learner is told of a hidden case its name, verdict and hint.

Every writer takes a report that has passed through `for_audience`; none decides by itself.
"""

from __future__ import annotations

from dataclasses import replace

from grader.results import Audience, CaseResult, Finding, Report, Verdict

HIDDEN = "hidden"
"""The check of the one finding that stands for all that a hidden case found."""

# Verdicts of cases on which the solution was never called, or of which it is not the cause.
_NOT_CALLED = frozenset({Verdict.NOT_LOADABLE, Verdict.SKIPPED})
_NO_HINT = _NOT_CALLED | {Verdict.ACCEPTED, Verdict.JUDGE_ERROR}


def for_audience(report: Report, audience: Audience) -> Report:
    """The report as `audience` may see it; the instructor sees all of it."""
    if audience == "instructor":
        return report
    cases = tuple(_learner_case(case) for case in report.cases)
    if not _called_on_hidden_inputs(report):
        return replace(report, cases=cases)
    return replace(report, cases=cases, output="", output_cut=False)


def _learner_case(case: CaseResult) -> CaseResult:
    """A hidden case cut down. Even its duration goes: a solution can sleep for what it read."""
    if case.visibility == "public":
        return case
    hint = "" if case.verdict in _NO_HINT else case.hint
    return CaseResult(
        name=case.name,
        visibility=case.visibility,
        verdict=case.verdict,
        score=case.score,
        max_score=case.max_score,
        duration_s=0.0,
        findings=(Finding(check=HIDDEN, message=hint),) if hint else (),
        hint=hint,
    )


def _called_on_hidden_inputs(report: Report) -> bool:
    """Whether what the process printed outside the cases may hold the inputs of a hidden one."""
    return any(c.visibility == "hidden" and c.verdict not in _NOT_CALLED for c in report.cases)
