"""Grade one solution: put the cases to it one by one in a fork, check each answer, sum up.

A fork that died or was ended is replaced for the cases that remain. What goes wrong on our side is
`judge_error`, never the learner's.
"""

from __future__ import annotations

import hashlib
import platform
import time
import traceback
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path

import torch

import grader
from grader.grading.casework import INCONCLUSIVE, CaseOutcome, put_case
from grader.grading.exam import Exam
from grader.grading.loading import NOT_IMPLEMENTED, Refusal, read_source, refusal_of
from grader.grading.oracle import ReferenceFailed
from grader.grading.recognise import FAILED, diagnose
from grader.problem.model import Case, Problem, ScalarInput
from grader.results import CaseResult, Finding, Report, Verdict
from grader.sandbox.client import Server
from grader.sandbox.failure import SandboxUnavailable
from grader.sandbox.messages import Ready
from grader.sandbox.session import Session

Progress = Callable[[CaseResult], None]


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
    run = _Run(exam, path, server, progress)
    refusal = run.grade(chosen)
    return _report(run, refusal, time.perf_counter() - started)


class _Run:
    """One solution under way: the open fork, the results so far, the time left."""

    def __init__(self, exam: Exam, path: Path, server: Server, progress: Progress | None) -> None:
        self.exam = exam
        self.problem = exam.problem
        self.path = path
        self.server = server
        self.progress = progress
        self.source = b""
        self.results: list[CaseResult] = []
        self.deadline = time.monotonic() + self.problem.limits.total_s
        self._session: Session | None = None
        self._ready = Ready(keyword=False)

    def grade(self, cases: Sequence[Case]) -> Refusal | None:
        """Put the cases; why none could be put, if so."""
        try:
            source = read_source(self.path)
            if isinstance(source, Refusal):
                return self._skip_rest(cases, source)
            self.source = source
            refusal = self._open()
            if refusal is not None:
                return self._skip_rest(cases, refusal)
            return self._put_all(cases)
        except ReferenceFailed:
            raise
        except Exception as failure:  # a bug of ours ends no batch, and no learner pays for it
            return self._skip_rest(cases, _judge_error(failure))
        finally:
            self._close()

    def _put_all(self, cases: Sequence[Case]) -> Refusal | None:
        for number, case in enumerate(cases):
            result = self._put(case)
            self._add(result)
            if number == 0 and NOT_IMPLEMENTED in result.findings:
                frames = result.frames if case.visibility == "public" else ()
                nothing = Refusal(Verdict.RUNTIME_ERROR, NOT_IMPLEMENTED, frames)
                return self._skip_rest(cases, nothing)
        return None

    def _put(self, case: Case) -> CaseResult:
        failed_need = self._failed_need(case)
        if failed_need is not None:
            return _result(case, CaseOutcome.needs(failed_need))
        left_s = self.deadline - time.monotonic()
        if left_s <= 0:
            return _result(case, CaseOutcome.out_of_time(self.problem.limits.total_s))
        if self._session is None:
            refusal = self._open()
            if refusal is not None:
                return _result(case, CaseOutcome.refused(refusal))
        outcome = self._put_to_fork(case, left_s)
        if case.previous_calls and not outcome.full_points and self._is_right_alone(case):
            outcome = outcome.kept()
        return _result(case, outcome)

    def _put_to_fork(self, case: Case, left_s: float, *, alone: bool = False) -> CaseOutcome:
        assert self._session is not None
        outcome = put_case(
            self.exam, case, self._session, self._ready, self.source, left_s, alone=alone
        )
        if outcome.ended:
            self._close()
        return outcome

    def _is_right_alone(self, case: Case) -> bool:
        """Whether the case is passed in a fork that has made no call yet."""
        self._close()
        left_s = self.deadline - time.monotonic()
        if left_s <= 0 or self._open() is not None:
            return False
        return self._put_to_fork(case, left_s, alone=True).full_points

    def _open(self) -> Refusal | None:
        """A new fork with the solution loaded; else why it cannot be."""
        limits = self.problem.limits
        self._session = self.server.open_session(
            memory_mb=limits.memory_mb,
            output_kb=limits.output_kb,
            cpu_s=int(limits.import_s + limits.total_s) + 5,
        )
        required, optional = _parameters(self.problem)
        loaded = self._session.load(
            self.source,
            name=f"{self.path.stem}.py",
            entry=self.problem.entry,
            required=required,
            optional=optional,
            timeout_s=limits.import_s,
        )
        if isinstance(loaded, Ready):
            self._ready = loaded
            return None
        refusal = refusal_of(self.problem, loaded, self.source, self._session.output)
        self._close()
        return refusal

    def _close(self) -> None:
        if self._session is not None:
            self._session.__exit__()
            self._session = None

    def _failed_need(self, case: Case) -> CaseResult | None:
        """The first case it needs that was put and not passed."""
        results = {result.name: result for result in self.results}
        needed = (results[name] for name in case.needs if name in results)
        return next((result for result in needed if not _is_passed(result)), None)

    def _skip_rest(self, cases: Sequence[Case], refusal: Refusal) -> Refusal:
        for case in cases[len(self.results) :]:
            self._add(_result(case, CaseOutcome.not_run(refusal.finding.message)))
        return refusal

    def _add(self, result: CaseResult) -> None:
        self.results.append(result)
        if self.progress is not None:
            self.progress(result)


def _report(run: _Run, refusal: Refusal | None, duration_s: float) -> Report:
    problem, results = run.problem, tuple(run.results)
    verdict = _verdict(results, refusal)
    findings = (refusal.finding,) if refusal else ()
    frames = refusal.frames if refusal else ()
    accepted = verdict is Verdict.ACCEPTED
    diagnosis = None if accepted else diagnose(problem, results, findings, frames)
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
        findings=findings,
        frames=frames,
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


def _result(case: Case, outcome: CaseOutcome) -> CaseResult:
    """The outcome as the report has it: points are all or nothing."""
    return CaseResult(
        name=case.name,
        visibility=case.visibility,
        verdict=outcome.verdict,
        score=case.points if outcome.full_points else Decimal(0),
        max_score=case.points,
        duration_s=outcome.duration_s,
        findings=outcome.findings,
        description=_describe(case),
        hint=case.hint,
        frames=outcome.frames,
        output=outcome.output.text,
        output_cut=outcome.output.cut,
        largest_error=outcome.largest_ratio,
    )


def _is_passed(result: CaseResult) -> bool:
    """Accepted, or nothing could be said against it."""
    inconclusive = any(finding.check == INCONCLUSIVE for finding in result.findings)
    return result.verdict is Verdict.ACCEPTED or inconclusive


def _describe(case: Case) -> str:
    sizes = ", ".join(f"{name} {size}" for name, size in case.dims.items())
    extras = [f"{name} {layout.kind}" for name, layout in case.layouts.items()]
    device = ["on the meta device"] if case.device == "meta" else []
    return "; ".join([f"{case.dtype}, {sizes}", *extras, *device])


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


def _parameters(problem: Problem) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the parameters that every call gives, and of those with a default."""
    optional = tuple(
        each.name
        for each in problem.inputs
        if isinstance(each, ScalarInput) and each.default is not None
    )
    required = tuple(each.name for each in problem.inputs if each.name not in optional)
    return required, optional


def _judge_error(failure: Exception) -> Refusal:
    """Our own failure: the sandbox's in its words, of any other the place, to be reported. Not its
    words: they could hold what a learner must not see."""
    if isinstance(failure, SandboxUnavailable):
        return Refusal(Verdict.JUDGE_ERROR, Finding("judge", f"{failure}.", "", None, "sandbox"))
    place = traceback.extract_tb(failure.__traceback__)[-1]
    where = f"{Path(place.filename).name}:{place.lineno}"
    message = f"the grader failed: {type(failure).__name__} at {where}."
    return Refusal(Verdict.JUDGE_ERROR, Finding("judge", message, "", None, "bug"))


def _versions() -> dict[str, str]:
    return {
        "grader": grader.__version__,
        "python": platform.python_version(),
        "torch": str(torch.__version__),
    }
