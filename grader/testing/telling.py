"""A case of a report as pytest is told of it: passed, failed, skipped, an error; and the words."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from decimal import Decimal
from typing import Literal

from grader.report.parts import verdict_words
from grader.report.text import one_line
from grader.results import CaseResult, Report, Verdict

Fate = Literal["passed", "failed", "skipped", "error"]

_NOT_JUDGED = (Verdict.JUDGE_ERROR, Verdict.NOT_LOADABLE)
_NOT_FAILED = (Verdict.ACCEPTED, Verdict.SKIPPED)


def fate_of(report: Report, case: CaseResult, selected: Collection[str]) -> Fate:
    """What a case is to pytest. `selected`: the cases that pytest runs.

    A case that was not run is skipped only where the one that it depends on fails beside it: alone,
    it would leave a wrong solution without a failure.
    """
    from grader.grading.casework import INCONCLUSIVE

    if case.verdict is Verdict.ACCEPTED:
        return "passed"
    if case.verdict is not Verdict.SKIPPED:
        return "error" if case.verdict in _NOT_JUDGED else "failed"
    if any(finding.check == INCONCLUSIVE for finding in case.findings):
        return "skipped"
    if report.verdict in _NOT_JUDGED:
        return "error"
    return "skipped" if any(each.name in selected for each in _failing(report)) else "failed"


def reason_of(case: CaseResult) -> str:
    """Why a case was skipped."""
    return one_line(case.findings[0].message) if case.findings else "it was not run"


def told(report: Report, case: CaseResult, repeat: str) -> str:
    """A case as the terminal report tells it, with the diagnosis, below a line that says it all.

    Of a case that was not run, the ones that failed in its place are told. `repeat`: the command
    that takes the place of the command line's own.
    """
    from grader.testing.authors import text_of

    is_run = case.verdict is not Verdict.SKIPPED
    cases = (case,) if is_run else (*_failing(report), case)
    part = replace(
        report,
        verdict=case.verdict if is_run else report.verdict,
        score=sum((each.score for each in cases), Decimal(0)),
        max_score=sum((each.max_score for each in cases), Decimal(0)),
        cases=cases,
    )
    whole = text_of(part)
    text = whole.rpartition("\nrepeat: ")[0] or whole
    first = f"{verdict_words(part.verdict)}: {_cause(report, case)}"
    return f"{first}\n\n{text}\nrepeat: {repeat}"


def _cause(report: Report, case: CaseResult) -> str:
    """The mistakes where they are known, else what was found in the case."""
    diagnosis = report.diagnosis
    if case.findings and not (diagnosis and diagnosis.traps):
        return one_line(case.findings[0].message)
    return one_line(diagnosis.summary if diagnosis else report.summary)


def _failing(report: Report) -> list[CaseResult]:
    return [case for case in report.cases if case.verdict not in _NOT_FAILED]
