"""Grade one solution: put the cases to it, say why it fails, sum up in a report.

What goes wrong on our side is `judge_error`, never the learner's.
"""

from __future__ import annotations

import hashlib
import platform
import time
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import torch

import grader
from grader.grading.exam import Exam
from grader.grading.loading import Refusal
from grader.grading.recognise import FAILED
from grader.grading.run import Progress, Run
from grader.problem.model import Case, Problem
from grader.results import CaseResult, Diagnosis, Report, Verdict
from grader.sandbox.client import Server


def grade_solution(
    exam: Exam,
    path: Path,
    server: Server,
    *,
    cases: Sequence[str] | None = None,
    public_only: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Grade the file at `path`.

    cases: only the cases of these names (and those they need). public_only: leave hidden ones out.
    Never raises for what a solution does; ReferenceFailed when the problem itself is broken.
    """
    started = time.perf_counter()
    chosen = _choose(exam.problem, cases, public_only=public_only)
    run = Run(exam, path, server, progress)
    refusal = run.grade(chosen)
    verdict = _verdict(run.results, refusal)
    diagnosis = None if verdict is Verdict.ACCEPTED else run.diagnose(refusal)
    return _report(run, refusal, verdict, diagnosis, time.perf_counter() - started)


def _report(
    run: Run,
    refusal: Refusal | None,
    verdict: Verdict,
    diagnosis: Diagnosis | None,
    duration_s: float,
) -> Report:
    problem, results = run.problem, tuple(run.results)
    return Report(
        problem=problem.id,
        title=problem.title,
        problem_hash=problem.hash,
        solution=str(run.path),
        solution_hash=hashlib.sha256(run.source).hexdigest()[:16],
        device=run.exam.device,
        seed=run.exam.seed,
        verdict=verdict,
        score=sum((case.score for case in results), Decimal(0)),
        max_score=sum((case.max_score for case in results), Decimal(0)),
        cases=results,
        diagnosis=diagnosis,
        isolation=run.server.isolation,
        versions=_versions(),
        duration_s=duration_s,
        summary=_all_passed(results) if diagnosis is None else diagnosis.summary,
        findings=(refusal.finding,) if refusal else (),
        frames=refusal.frames if refusal else (),
        output=refusal.output.text if refusal else "",
        output_cut=refusal.output.cut if refusal else False,
    )


def _all_passed(results: Sequence[CaseResult]) -> str:
    passed = sum(case.verdict is Verdict.ACCEPTED for case in results)
    if passed == len(results):
        return f"all {passed} cases passed."
    return f"{passed} of {len(results)} cases passed; the others were inconclusive."


def _verdict(results: Sequence[CaseResult], refusal: Refusal | None) -> Verdict:
    """Our own failure before all; then why nothing was run; else that of the first failed case."""
    verdicts = [case.verdict for case in results if case.verdict in FAILED]
    if Verdict.JUDGE_ERROR in verdicts:
        return Verdict.JUDGE_ERROR
    if refusal is not None:
        return refusal.verdict
    if any(case.verdict is Verdict.ACCEPTED for case in results) or verdicts:
        return verdicts[0] if verdicts else Verdict.ACCEPTED
    return Verdict.JUDGE_ERROR


def _choose(problem: Problem, names: Sequence[str] | None, *, public_only: bool) -> list[Case]:
    """The cases to put, with each those it needs.

    Public ones come first: until they are over the solution has seen no hidden input, and what it
    prints or raises may be shown to a learner.
    """
    chosen = {case.name for case in problem.cases if names is None or case.name in names}
    for case in reversed(problem.cases):
        if case.name in chosen:
            chosen |= set(case.needs)
    public, hidden = (
        [case for case in problem.cases if case.name in chosen and case.visibility == visibility]
        for visibility in ("public", "hidden")
    )
    return public if public_only else public + hidden


def _versions() -> dict[str, str]:
    return {
        "grader": grader.__version__,
        "python": platform.python_version(),
        "torch": str(torch.__version__),
    }
