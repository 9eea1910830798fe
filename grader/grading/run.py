"""One solution under way: its fork, the results so far, the time left, and why it fails.

A fork that died or was ended is replaced for the cases that remain.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from torch import Tensor

from grader.grading.breach import TELLING, breach_line, parting_line
from grader.grading.casework import INCONCLUSIVE, CaseOutcome, is_alike, put_case
from grader.grading.diagnosis import (
    Answered,
    Unanswered,
    explain_values,
    with_line,
)
from grader.grading.exam import Exam
from grader.grading.loading import (
    NOT_IMPLEMENTED,
    Refusal,
    load_solution,
    open_fork,
    read_source,
    refusal_of,
)
from grader.grading.oracle import ReferenceFailed
from grader.grading.recognise import FAILED, diagnose
from grader.grading.source import Source
from grader.grading.threads import ONE_THREAD
from grader.problem.model import Case
from grader.results import CaseResult, Diagnosis, Finding, Verdict
from grader.sandbox.client import Server
from grader.sandbox.failure import SandboxUnavailable
from grader.sandbox.messages import Call, Ended, Ready, Traced
from grader.sandbox.session import Session
from grader.stages import Computation

Progress = Callable[[CaseResult], None]

_TRACE_S = 2.0
_LOG = logging.getLogger(__name__)


class Run:
    """One solution under way: the open fork, the results so far, the time left."""

    def __init__(self, exam: Exam, path: Path, server: Server, progress: Progress | None) -> None:
        self.exam = exam
        self.problem = exam.problem
        self.path = path
        self.server = server
        self.progress = progress
        self.source = b""
        self.results: list[CaseResult] = []
        self.answered: list[Answered] = []
        self.deadline = time.monotonic() + self.problem.limits.total_s
        self._session: Session | None = None
        self._cases_in_fork = 0
        self._keeps_state = False
        self._looked_for_state = False
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

    def diagnose(self, refusal: Refusal | None) -> Diagnosis:
        """Why it fails: what the findings show, and what the returned values tell."""
        findings = (refusal.finding,) if refusal else ()
        known = diagnose(self.problem, self.results, findings, refusal.frames if refusal else ())
        computation = self.exam.computation()
        if refusal is not None:
            return known
        with ONE_THREAD:
            return self._explained(known, computation)

    def _explained(self, known: Diagnosis, computation: Computation | None) -> Diagnosis:
        """What is known, and what the returned values and a trace tell."""
        try:
            if self._keeps_state:
                self._ask_alone()
            if computation is not None and self.answered:
                known = explain_values(
                    self.problem,
                    computation,
                    self.answered,
                    self._unanswered,
                    known,
                    self.source,
                    self._trace,
                    self._with_contract_line,
                )
            return self._with_contract_line(known)
        except ReferenceFailed:
            raise
        except Exception:  # a diagnosis is an extra: what a hostile trace breaks is not the grade
            _LOG.debug("the diagnosis failed", exc_info=True)
            return known
        finally:
            self._close()

    def _with_contract_line(self, known: Diagnosis) -> Diagnosis:
        """Where no line is known yet: the one that breaks the contract, found by a trace."""
        failed = {
            result.name: result
            for result in self.results
            if result.verdict in FAILED and any(f.check in TELLING for f in result.findings)
        }
        if known.line is not None or not failed:
            return known
        cases = [case for case in self.problem.cases if case.name in failed]
        case = min(cases, key=lambda case: _rank(failed[case.name]))
        call = self.exam.prepared(case).main.call
        if call.device == "meta":
            return known
        findings = failed[case.name].findings
        checks = {finding.check for finding in findings}
        if "state" in checks:
            line = self._line_of_state(case, findings)
        else:
            gradients = call.gradients if "gradient" in checks else ()
            traced = self._trace(replace(call, cotangents=None, gradients=gradients))
            outputs = [output.name for output in self.problem.outputs]
            tracked = _tracked(call)
            source = Source.of(self.source)
            line = breach_line(findings, traced, case.dtype, outputs, source, tracked)
        return with_line(known, line, self.source)

    def _ask_alone(self) -> None:
        """Take as evidence only what comes of a call by itself: others have left their marks."""
        fresh = []
        for each in self.answered:
            if not each.failed:
                fresh.append(each)
                continue
            alone = self._alone(each.prepared.case)
            if alone is not None and alone.tensors and not alone.full_points:
                fresh.append(Answered(each.prepared, alone.tensors, failed=True))
        self.answered = fresh

    def _unanswered(self) -> list[Unanswered]:
        """The cases that failed without values to look at; and those that were skipped because of
        others, put after all, for they may show what the others cannot."""
        answered = {each.prepared.case.name for each in self.answered}
        found = []
        cases = {case.name: case for case in self.problem.cases}
        for result in list(self.results):
            case = cases[result.name]
            if any(finding.check == "needs" for finding in result.findings):
                if self.deadline - time.monotonic() <= 0:
                    continue
                if self._session is None and self._open() is not None:
                    continue
                outcome = self._put_to_fork(case, self.deadline - time.monotonic())
                shown = Unanswered(self.exam.prepared(case), _result(case, outcome))
                found.append(replace(shown, gradients=outcome.gradients))
            elif case.name not in answered and case.device != "meta":
                found.append(Unanswered(self.exam.prepared(case), result))
        return found

    def _line_of_state(self, case: Case, findings: Sequence[Finding]) -> int | None:
        """Where the call parts from itself: made with another random state, or after others."""
        prepared = self.exam.prepared(case)
        call = replace(prepared.main.call, cotangents=None, gradients=())
        is_kept = any(finding.kind == "previous" for finding in findings)
        self._close()
        first = self._trace(call)
        if not is_kept:
            return parting_line(first, self._trace(replace(call, chance=1)))
        for before in prepared.before:
            self._trace(replace(before.call, cotangents=None, gradients=()))
        return parting_line(first, self._trace(call))

    def _trace(self, call: Call) -> Traced:
        """What the solution does in this call, line by line; nothing when that cannot be seen."""
        try:
            if self._session is None and self._open() is not None:
                return Traced()
            assert self._session is not None
            traced = self._session.trace(call, keyword=self._ready.keyword, timeout_s=_TRACE_S)
        except SandboxUnavailable:
            return Traced()
        return Traced() if isinstance(traced, Ended) else traced

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
        if outcome.says_nothing and not any(_is_passed(result) for result in self.results):
            outcome = replace(outcome, full_points=False)
        if self._may_be_kept(case, outcome):
            alone = self._alone(case)
            if alone is not None and alone.full_points:
                self._keeps_state = True
                outcome = outcome.kept()
            elif alone is not None and not is_alike(self.exam.prepared(case).main, outcome, alone):
                self._keeps_state = True
                outcome = alone.also_kept()
            elif alone is not None and self._keeps_state:
                outcome = alone
        if outcome.tensors:
            prepared = self.exam.prepared(case)
            self.answered.append(Answered(prepared, outcome.tensors, not outcome.full_points))
        return _result(case, outcome)

    def _may_be_kept(self, case: Case, outcome: CaseOutcome) -> bool:
        """Whether to look if the calls before are why it failed. They are where the case is about
        that; else it is worth one look, and more once it was so."""
        if outcome.full_points or outcome.ended:
            return False
        if case.previous_calls:
            return True
        is_worth_it = self._keeps_state or not self._looked_for_state
        if self._cases_in_fork > 1 and is_worth_it:
            self._looked_for_state = True
            return True
        return False

    def _put_to_fork(self, case: Case, left_s: float, *, alone: bool = False) -> CaseOutcome:
        assert self._session is not None
        self._cases_in_fork += 1
        outcome = put_case(
            self.exam, case, self._session, self._ready, self.source, left_s, alone=alone
        )
        if outcome.ended:
            self._close()
        return outcome

    def _alone(self, case: Case) -> CaseOutcome | None:
        """What the case comes to in a fork that has made no call yet; None if there is none."""
        self._close()
        left_s = self.deadline - time.monotonic()
        if left_s <= 0 or self._open() is not None:
            return None
        return self._put_to_fork(case, left_s, alone=True)

    def _open(self) -> Refusal | None:
        """A new fork with the solution loaded; else why it cannot be."""
        self._cases_in_fork = 0
        self._session = open_fork(self.server, self.problem)
        name, timeout_s = f"{self.path.stem}.py", self.problem.limits.import_s
        loaded = load_solution(self._session, self.problem, self.source, name, timeout_s)
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


def _rank(result: CaseResult) -> int:
    """Which case shows best what is wrong with the contract: one that nothing else is wrong in."""
    checks = {finding.check for finding in result.findings}
    return 0 if checks & {"state", "gradient", "mutation"} else 1 if "values" not in checks else 2


def _tracked(call: Call) -> list[int]:
    """The inputs that gradients are asked of, by the numbers that a trace gives them."""
    tensors = [each.name for each in call.arguments if isinstance(each.value, Tensor)]
    return [-1 - number for number, name in enumerate(tensors) if name in call.gradients]


def _is_passed(result: CaseResult) -> bool:
    """Accepted, or nothing could be said against it."""
    inconclusive = any(finding.check == INCONCLUSIVE for finding in result.findings)
    return result.verdict is Verdict.ACCEPTED or inconclusive


def _describe(case: Case) -> str:
    sizes = ", ".join(f"{name} {size}" for name, size in case.dims.items())
    extras = [f"{name} {layout.kind}" for name, layout in case.layouts.items()]
    device = ["on the meta device"] if case.device == "meta" else []
    return "; ".join([f"{case.dtype}, {sizes}", *extras, *device])


def _judge_error(failure: Exception) -> Refusal:
    """Our own failure: the sandbox's in its words, of any other the place, to be reported. Not its
    words: they could hold what a learner must not see."""
    if isinstance(failure, SandboxUnavailable):
        return Refusal(Verdict.JUDGE_ERROR, Finding("judge", f"{failure}.", "", None, "sandbox"))
    place = traceback.extract_tb(failure.__traceback__)[-1]
    where = f"{Path(place.filename).name}:{place.lineno}"
    message = f"the grader failed: {type(failure).__name__} at {where}."
    return Refusal(Verdict.JUDGE_ERROR, Finding("judge", message, "", None, "bug"))
