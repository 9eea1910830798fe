"""Who may see what of a report: the learner is told of a hidden case its name, verdict and hint,
and, when it was not run, why not.

Every writer takes a report that has passed through `for_audience`; none decides by itself.
"""

from __future__ import annotations

from dataclasses import replace

from grader.results import Audience, CaseResult, Diagnosis, Finding, Report, Verdict

HIDDEN = "hidden"
"""The check of the one finding that stands for all that a hidden case found."""

_WHY_NOT_RUN = ("needs", "skipped", "inconclusive")
"""The checks that say why a case was skipped, in words that no hidden input has a part in."""
# Verdicts of cases on which the solution was never called, or of which it is not the cause.
_NOT_CALLED = frozenset({Verdict.NOT_LOADABLE, Verdict.SKIPPED})
_NO_HINT = _NOT_CALLED | {Verdict.ACCEPTED, Verdict.JUDGE_ERROR}


def for_audience(report: Report, audience: Audience) -> Report:
    """The report as `audience` may see it; the instructor sees all of it."""
    if audience == "instructor":
        return report
    cases = tuple(_learner_case(case) for case in report.cases)
    diagnosis = _learner_diagnosis(report)
    summary = report.summary if diagnosis is None else diagnosis.summary
    shown = replace(report, cases=cases, diagnosis=diagnosis, summary=summary)
    if not _called_on_hidden_inputs(report):
        return shown
    return replace(shown, output="", output_cut=False)


def _learner_case(case: CaseResult) -> CaseResult:
    """A hidden case cut down. Even its duration goes: a solution can sleep for what it read."""
    if case.visibility == "public":
        return case
    hint = "" if case.verdict in _NO_HINT else case.hint
    why_not_run = case.findings if case.verdict is Verdict.SKIPPED else ()
    return CaseResult(
        name=case.name,
        visibility=case.visibility,
        verdict=case.verdict,
        score=case.score,
        max_score=case.max_score,
        duration_s=0.0,
        findings=(Finding(check=HIDDEN, message=hint),)
        if hint
        else tuple(finding for finding in why_not_run if finding.check in _WHY_NOT_RUN),
        hint=hint,
    )


def _learner_diagnosis(report: Report) -> Diagnosis | None:
    """The diagnosis without the words that it has from a hidden case, and without what tells how
    near the values come.

    The mistakes are named with their hints, whose texts are the author's, and the learner's own
    line is shown; why it is wrong is what the hint leads to.
    """
    if report.diagnosis is None:
        return None
    traps = tuple(replace(trap, why="") for trap in report.diagnosis.traps)
    diagnosis = replace(report.diagnosis, traps=traps, evidence="")
    case = next((c for c in report.cases if c.name == diagnosis.case), None)
    if case is None or case.visibility == "public":
        return diagnosis
    told = f'{case.hint} (case "{case.name}")' if case.hint else f'the case "{case.name}" failed.'
    summary = diagnosis.summary if diagnosis.traps else told
    return replace(diagnosis, summary=summary)


def _called_on_hidden_inputs(report: Report) -> bool:
    """Whether what the process printed outside the cases may hold the inputs of a hidden one."""
    return any(c.visibility == "hidden" and c.verdict not in _NOT_CALLED for c in report.cases)
