"""Contract mistakes by name: a problem says which findings show a trap; here they are matched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grader.problem.model import Problem, Recognition, Trap
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
    where = next((case.frames for case in failed if case.frames), tuple(frames))
    return Diagnosis(
        traps=tuple(named_trap(trap) for trap, _ in named),
        summary=_summary([trap for trap, _ in named], failed, findings),
        failed_cases=len(failed),
        explained_cases=len(explained_names),
        first_wrong_stage=named[0][0].stage if named else None,
        line=where[-1].line if where else None,
        source=where[-1].source if where else None,
    )


def named_trap(trap: Trap) -> NamedTrap:
    """The trap as a report tells it."""
    return NamedTrap(trap.id, trap.stage, trap.title, trap.hint, trap.why)


def _explained(trap: Trap, failed: Sequence[CaseResult]) -> set[str]:
    """Names of the failed cases whose findings show this trap."""
    failed_names = {case.name for case in failed}
    rules = [
        rule for rule in trap.recognised_by if not rule.cases or failed_names <= set(rule.cases)
    ]
    return {
        case.name
        for case in failed
        if any(_matches(rule, finding) for rule in rules for finding in case.findings)
    }


def _matches(rule: Recognition, finding: Finding) -> bool:
    return (
        rule.check == finding.check
        and rule.kind in (None, finding.kind)
        and rule.output in (None, finding.output)
    )


def _summary(
    traps: Iterable[Trap], failed: Sequence[CaseResult], findings: Sequence[Finding]
) -> str:
    """One sentence: the mistakes by title, else the first thing that was found."""
    titles = [trap.title for trap in traps]
    if titles:
        return f"{' and '.join(titles)}."
    if findings:
        return findings[0].message
    first = next((case for case in failed if case.findings), None)
    if first is None:
        return "no case could be graded." if not failed else f"{len(failed)} cases failed."
    return f'{first.findings[0].message} (case "{first.name}")'
