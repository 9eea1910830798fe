"""Contract mistakes by name: a problem says which findings show a trap; here they are matched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from grader.problem.model import Problem, Recognition, Trap
from grader.problem.vocabulary import BROADER
from grader.results import CaseResult, Diagnosis, Finding, Frame, NamedTrap, Verdict

FAILED = frozenset(Verdict) - {Verdict.ACCEPTED, Verdict.SKIPPED}


def diagnose(
    problem: Problem,
    cases: Sequence[CaseResult],
    findings: Sequence[Finding] = (),
    frames: Sequence[Frame] = (),
) -> Diagnosis:
    """Why the solution fails: the traps its findings show, and the line where it broke, if it did.

    `findings` and `frames` are of the file as a whole, when it could not be loaded.
    """
    failed = [case for case in cases if case.verdict in FAILED]
    seen = [(trap, _explained(trap, failed)) for trap in problem.traps.values()]
    named = [(trap, explained) for trap, explained in seen if explained]
    explained_names = {name for _, names in named for name in names}
    shown = None if findings else _shown(failed, explained_names)
    where = tuple(frames) if shown is None else shown.frames
    return Diagnosis(
        traps=tuple(named_trap(trap) for trap, _ in named),
        summary=_summary([trap for trap, _ in named], failed, findings, shown),
        failed_cases=len(failed),
        explained_cases=len(explained_names),
        first_wrong_stage=named[0][0].stage if named else None,
        line=where[-1].line if where else None,
        source=where[-1].source if where else None,
        case=None if shown is None else shown.name,
    )


def with_traps(problem: Problem, known: Diagnosis, cases: Sequence[CaseResult]) -> Diagnosis:
    """The diagnosis with the traps, too, that these cases show: failed ones, explained by nothing
    that is known so far."""
    failed = [case for case in cases if case.verdict in FAILED]
    names = {trap.id for trap in known.traps}
    more = [
        named_trap(trap)
        for trap in problem.traps.values()
        if trap.id not in names and _explained(trap, failed)
    ]
    return replace(known, traps=(*known.traps, *more))


def named_trap(trap: Trap) -> NamedTrap:
    """The trap as a report tells it."""
    return NamedTrap(trap.id, trap.stage, trap.title, trap.hint, trap.why)


def _shown(failed: Sequence[CaseResult], explained: set[str]) -> CaseResult | None:
    """The case to show it by: one that the traps explain, best with a line; else the first."""
    if explained:
        candidates = [case for case in failed if case.name in explained]
        return next((case for case in candidates if case.frames), candidates[0])
    return next((case for case in failed if case.findings), None)


def _explained(trap: Trap, failed: Sequence[CaseResult]) -> set[str]:
    """Names of the failed cases whose findings show this trap."""
    failed_names = {case.name for case in failed}
    explained: set[str] = set()
    for rule in trap.recognised_by:
        shows = {case.name for case in failed if any(matches(rule, f) for f in _telling(case))}
        only_there = not rule.cases or failed_names <= set(rule.cases)
        if only_there and (shows == failed_names or not rule.alone):
            explained |= shows
    return explained


def _telling(case: CaseResult) -> Sequence[Finding]:
    """The findings that a trap may be seen in: where an earlier call is to blame, no others."""
    of_state = [finding for finding in case.findings if finding.check == "state"]
    return of_state or case.findings


def matches(rule: Recognition, finding: Finding) -> bool:
    """Whether a finding is what a rule is about."""
    return (
        rule.check == finding.check
        and rule.kind in (None, finding.kind, BROADER.get(finding.kind or ""))
        and rule.output in (None, finding.output)
    )


def _summary(
    traps: Iterable[Trap],
    failed: Sequence[CaseResult],
    findings: Sequence[Finding],
    shown: CaseResult | None,
) -> str:
    """One sentence: why the file could not be graded, else the mistakes, else what was found."""
    if findings:
        return findings[0].message
    titles = [trap.title for trap in traps]
    if titles:
        return f"{' and '.join(titles)}."
    if shown is None:
        return "no case could be graded." if not failed else f"{len(failed)} cases failed."
    return f'{shown.findings[0].message} (case "{shown.name}")'
