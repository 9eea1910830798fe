"""One case put to one solution: the calls, the checks, and what the outcome is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from grader.grading.checks import Checked, check_answer, check_devices
from grader.grading.errors import frames_of, is_not_implemented, of_ended, of_raised
from grader.grading.exam import Exam, PreparedCall
from grader.grading.loading import NOT_IMPLEMENTED, Refusal
from grader.problem.model import Case
from grader.results import CaseResult, Finding, Frame, Verdict
from grader.sandbox.messages import (
    SILENCE,
    Answer,
    Call,
    CallOutcome,
    Ended,
    Output,
    Raised,
    Ready,
)
from grader.sandbox.session import Session
from grader.tensors.compare import compare

INCONCLUSIVE = "inconclusive"
"""The check of the finding that says why a case could say nothing against the solution."""


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """What a case came to. `ended`: the fork is gone and must be replaced."""

    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    duration_s: float = 0.0
    frames: tuple[Frame, ...] = ()
    output: Output = SILENCE
    largest_ratio: float | None = None
    full_points: bool = False
    ended: bool = False
    tensors: Mapping[str, Tensor] = field(default_factory=dict)
    """What was returned, by output: evidence for a diagnosis."""
    gradients: Mapping[str, Tensor | None] | None = None
    """Those that came, by input."""

    @classmethod
    def not_run(cls, reason: str) -> CaseOutcome:
        """None of the cases could be put, for one reason."""
        return cls(Verdict.SKIPPED, (Finding("skipped", reason),))

    @classmethod
    def needs(cls, other: CaseResult) -> CaseOutcome:
        """Skipped, for it would only say again what the other case said."""
        was = "was skipped" if other.verdict is Verdict.SKIPPED else "failed"
        return cls(Verdict.SKIPPED, (Finding("needs", f'needs "{other.name}", which {was}.'),))

    @classmethod
    def inconclusive(cls, reason: str) -> CaseOutcome:
        """Nothing can be said against the solution: skipped, with its points."""
        return cls(Verdict.SKIPPED, (Finding(INCONCLUSIVE, reason),), full_points=True)

    @property
    def says_nothing(self) -> bool:
        """Whether it is inconclusive."""
        return any(finding.check == INCONCLUSIVE for finding in self.findings)

    def kept(self) -> CaseOutcome:
        """The same, of a call that was right without the calls before it: its values tell nothing
        of the computation."""
        return replace(self, findings=(*self.findings, _KEPT), tensors={})

    def also_kept(self) -> CaseOutcome:
        """The same, of a call by itself that is wrong, and wrong in another way after others."""
        return replace(self, findings=(*self.findings, _KEPT_TOO))

    @classmethod
    def out_of_time(cls, total_s: float) -> CaseOutcome:
        message = f"no time left: all cases together may take {total_s:g} s."
        return cls(Verdict.TIME_LIMIT, (Finding("time", message),))

    @classmethod
    def refused(cls, refusal: Refusal) -> CaseOutcome:
        return cls(
            refusal.verdict, (refusal.finding,), frames=refusal.frames, output=refusal.output
        )


def put_case(
    exam: Exam,
    case: Case,
    session: Session,
    ready: Ready,
    source: bytes,
    left_s: float,
    *,
    alone: bool = False,
) -> CaseOutcome:
    """Put the case to the solution in this fork, within its limit and the `left_s` of all.

    alone: leave out the calls that come before the one that counts.
    """
    prepared = exam.prepared(case)
    desk = _Desk(exam, case, session, ready, source, min(exam.problem.limits.case_s, left_s))
    for before in () if alone else prepared.before:
        answer = desk.ask(before.call)
        if not isinstance(answer, Answer):
            return desk.failure(answer)
    answer = desk.ask(prepared.main.call)
    if case.device == "meta":
        return desk.on_meta(prepared.main, answer)
    if not isinstance(answer, Answer):
        return desk.failure(answer)
    checked = check_answer(exam.problem, prepared.main, answer)
    if case.repeats > 1:
        return desk.repeat(prepared.main, checked, case.repeats)
    return desk.verdict(checked)


_KEPT = Finding(
    "state",
    "right in a call by itself, and wrong after other calls.",
    "is something kept from one call to the next: a cache, a global, a default argument?",
    None,
    "previous",
)
_KEPT_TOO = replace(_KEPT, message="gives other results after other calls than by itself.")
_CHANCE = Finding(
    "state",
    "the same inputs give different results.",
    "is there randomness left in: dropout, noise, an uninitialised tensor?",
    None,
    "repeat",
)


class _Desk:
    """Asks the fork, keeps the time, and turns what comes back into an outcome."""

    def __init__(
        self, exam: Exam, case: Case, session: Session, ready: Ready, source: bytes, budget_s: float
    ) -> None:
        self.exam = exam
        self.case = case
        self.session = session
        self.keyword = ready.keyword
        self.source = source
        self.left_s = budget_s
        self.duration_s = 0.0

    def ask(self, call: Call, chance: int = 0) -> CallOutcome:
        """Make one call; `chance` seeds the fork's global generator."""
        timeout_s = max(self.left_s, 1e-3)
        outcome, self.duration_s = self.session.call(
            replace(call, chance=chance), keyword=self.keyword, timeout_s=timeout_s
        )
        self.left_s -= self.duration_s
        if isinstance(outcome, Ended) and outcome.reason == "time":
            limit_s = self.exam.problem.limits.case_s
            return Ended("time", f"no answer within {limit_s:g} s")
        return outcome

    def verdict(self, checked: Checked) -> CaseOutcome:
        """Accepted when nothing was found."""
        return self._outcome(
            Verdict.WRONG_ANSWER if checked.findings else Verdict.ACCEPTED,
            checked.findings,
            largest_ratio=checked.largest_ratio,
            full_points=not checked.findings,
            tensors={n: v.data for n, v in checked.tensors.items() if v.data is not None},
            gradients=checked.gradients,
        )

    def failure(self, outcome: Raised | Ended) -> CaseOutcome:
        """The call gave no answer."""
        if isinstance(outcome, Ended):
            verdict, finding = of_ended(outcome)
            return self._outcome(verdict, (finding,), ended=True)
        verdict, finding = of_raised(self.exam.problem, self.case, outcome)
        frames = frames_of(outcome, self.source)
        if is_not_implemented(outcome, frames):
            finding = NOT_IMPLEMENTED
        return self._outcome(verdict, (finding,), frames=frames)

    def repeat(self, main: PreparedCall, first: Checked, times: int) -> CaseOutcome:
        """The same call again: with the same random state, and once with another."""
        for number in range(times):
            chance = int(number == times - 1)
            answer = self.ask(main.call, chance)
            if not isinstance(answer, Answer):
                return self.failure(answer)
            again = check_answer(self.exam.problem, main, answer)
            if not _same(main, first, again):
                kept = not chance or self._is_kept(main, first)
                finding = _KEPT_SAME if kept else _CHANCE
                return self.verdict(replace(first, findings=(finding, *first.findings)))
        return self.verdict(first)

    def _is_kept(self, main: PreparedCall, first: Checked) -> bool:
        """Whether the random state of the first call no longer gives its result: then what is kept
        from call to call explains the difference before chance does."""
        answer = self.ask(main.call)
        return isinstance(answer, Answer) and not _same(
            main, first, check_answer(self.exam.problem, main, answer)
        )

    def on_meta(self, main: PreparedCall, answer: CallOutcome) -> CaseOutcome:
        """Devices only. What cannot be run without values says nothing against the solution."""
        if isinstance(answer, Ended):
            return self.failure(answer)
        if isinstance(answer, Raised):
            if COPIED_OUT not in answer.message or self._reads_values(answer):
                reason = "cannot be run without values, so devices could not be looked at."
                return CaseOutcome.inconclusive(reason)
            return self._wrong_device("brings a tensor of the inputs' device to the CPU", answer)
        if answer.device_conflict:
            frames = frames_of(Raised("", "", _line(answer), "call"), self.source)
            return self._wrong_device(answer.device_conflict, answer.backward, frames)
        return self.verdict(check_devices(self.exam.problem, main, answer))

    def _reads_values(self, raised: Raised) -> bool:
        """`tolist` and `numpy` copy out too, and may: on every device, or from the CPU."""
        frames = frames_of(raised, self.source)
        return bool(frames) and any(w in frames[-1].source for w in ("tolist", "numpy"))

    def _wrong_device(
        self, what: str, raised: Raised | None, frames: tuple[Frame, ...] = ()
    ) -> CaseOutcome:
        finding = Finding(
            "device",
            f"{what}; on a GPU this fails.",
            "make every new tensor with `device=` of an input, and move none.",
            None,
            "mixed",
        )
        where = frames or (frames_of(raised, self.source) if raised else ())
        return self._outcome(Verdict.WRONG_ANSWER, (finding,), frames=where)

    def _outcome(
        self,
        verdict: Verdict,
        findings: tuple[Finding, ...],
        *,
        frames: tuple[Frame, ...] = (),
        largest_ratio: float | None = None,
        full_points: bool = False,
        ended: bool = False,
        tensors: Mapping[str, Tensor] | None = None,
        gradients: Mapping[str, Tensor | None] | None = None,
    ) -> CaseOutcome:
        return CaseOutcome(
            verdict,
            findings,
            self.duration_s,
            frames,
            self.session.output,
            largest_ratio,
            full_points,
            ended,
            tensors or {},
            gradients,
        )


COPIED_OUT = "Cannot copy out of meta tensor"
_KEPT_SAME = replace(_KEPT, message="the same call gives another result when it is made again.")


def _line(answer: Answer) -> tuple[tuple[int, str], ...]:
    return () if answer.line is None else ((answer.line, ""),)


def _same(main: PreparedCall, first: Checked, again: Checked) -> bool:
    """Whether two answers to one call agree, within the tolerance of the outputs."""
    if first.tensors.keys() != again.tensors.keys():
        return False
    pairs = [{name: value.data for name, value in each.tensors.items()} for each in (first, again)]
    return _agree(main, *pairs)


def is_alike(main: PreparedCall, one: CaseOutcome, other: CaseOutcome) -> bool:
    """Whether two outcomes of one call have the same values, as far as both have any."""
    return _agree(main, one.tensors, other.tensors)


def _agree(
    main: PreparedCall, one: Mapping[str, Tensor | None], other: Mapping[str, Tensor | None]
) -> bool:
    for target in main.targets:
        first, again = one.get(target.output.name), other.get(target.output.name)
        if first is None or again is None:
            continue
        if first.shape != again.shape:
            return False
        expected = first.to(torch.float64) if first.is_floating_point() else first
        if bool(expected.isnan().any()):
            continue
        if not compare(again, expected, target.tolerance, target.scale).passed:
            return False
    return True
