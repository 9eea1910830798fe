"""Proof that mistakes of the contract are named: the reference is sabotaged, and graded.

What a wrapper around the reference cannot do is proved by a file beside the problem, in `wrong/` or
tests/solutions/wrong/<id>/, whose second line `# traps: id, id` says what must be named.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.audit.bench import FAILED, Bench, files_beside
from grader.audit.sabotage import Saboteur, saboteurs
from grader.grading.recognise import matches
from grader.problem.model import CONTRACT, Recognition, Trap
from grader.proof import Kill, Remark, Weight
from grader.results import CaseResult, Report, Verdict


@dataclass(frozen=True, slots=True)
class _Proof:
    """A file to grade, and the traps that it must be named as."""

    what: str
    trap: str
    traps: frozenset[str]
    path: Path
    first_only: bool = False


def check_contract(bench: Bench) -> tuple[list[Kill], list[str], list[Remark]]:
    """Each trap with rules, by saboteurs or files: what each case makes of them, and the cases that
    are the first to show one by its name."""
    proofs: list[_Proof] = []
    remarks: list[Remark] = []
    for trap in bench.problem.traps.values():
        found, unproved = _proofs_of(bench, trap)
        proofs += found
        remarks += unproved
    kills = []
    showing = []
    for proof, report in bench.each("the contract", proofs, lambda proof: _graded(bench, proof)):
        kills.append(_kill(proof, report))
        remarks += _about(proof, report)
        rules = bench.problem.traps[proof.trap].recognised_by
        showing += [case.name for case in report.cases if _is_shown(case, rules)][:1]
    return kills, showing, remarks


def _proofs_of(bench: Bench, trap: Trap) -> tuple[list[_Proof], list[Remark]]:
    """What shows that a trap is named, and what cannot be shown."""
    if not trap.recognised_by:
        return [], [_unseen(trap)] if trap.stage == CONTRACT else []
    reference = bench.problem.reference.read_text(encoding="utf-8")
    proofs: list[_Proof] = []
    lacking = []
    for number, rule in enumerate(trap.recognised_by, start=1):
        found = saboteurs(bench.exam, rule, reference)
        for index, each in enumerate(found, start=1):
            proofs.append(_saboteur(bench, trap, each, f"{trap.id}_{number}_{index}"))
        if not found:
            lacking.append(f"{rule.check} {rule.kind or ''}".strip())
    if not lacking:
        return proofs, []
    files = [
        _Proof(f"{trap.id}: {path.name}", trap.id, named, path)
        for path in files_beside(bench.problem, "wrong")
        if trap.id in (named := promised_traps(path))
    ]
    return proofs + files, [] if files else [_unproved(trap, lacking)]


def promised_traps(path: Path) -> frozenset[str]:
    """The traps on the second line of a wrong solution; none where it promises none."""
    lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()[:2]
    second = lines[1].decode("ascii", "replace") if len(lines) > 1 else ""
    if not second.startswith("# traps:"):
        return frozenset()
    return frozenset(word.strip() for word in second.partition(":")[2].split(","))


def _saboteur(bench: Bench, trap: Trap, made: Saboteur, name: str) -> _Proof:
    path = bench.write(name, made.source)
    return _Proof(f"{trap.id}: {made.what}", trap.id, frozenset([trap.id]), path, made.first_only)


def _graded(bench: Bench, proof: _Proof) -> Report:
    return bench.grade(proof.path, case=bench.cases()[0] if proof.first_only else None)


def _kill(proof: _Proof, report: Report) -> Kill:
    """A contract is kept or broken, so the error is nothing or infinite."""
    cases = {
        case.name: math.inf if case.verdict in FAILED else 0.0
        for case in report.cases
        if case.verdict is not Verdict.SKIPPED
    }
    return Kill(proof.what, cases, proof.trap, "contract")


def _is_shown(case: CaseResult, rules: Sequence[Recognition]) -> bool:
    return any(matches(rule, finding) for rule in rules for finding in case.findings)


def _about(proof: _Proof, report: Report) -> Iterator[Remark]:
    named = [] if report.diagnosis is None else [trap.id for trap in report.diagnosis.traps]
    if report.verdict is Verdict.ACCEPTED:
        yield Remark(
            "trap-not-rejected",
            Weight.FAULT,
            f"{proof.what}: it is accepted by all {len(report.cases)} cases.",
            "add a case that asks for it: another dtype, a layout, gradients, calls before, ...",
        )
    elif not proof.traps <= set(named):
        yield Remark(
            "trap-not-named",
            Weight.FAULT,
            f"{proof.what}: it is rejected, but {_said(named)}.",
            "look at the `when` of the trap, and at what the report says of it.",
        )
    elif len(named) > len(proof.traps):
        others = " and ".join(name for name in named if name not in proof.traps)
        yield Remark(
            "trap-named-beside",
            Weight.FAULT,
            f"{proof.what}: it is also reported as {others}.",
            "narrow the `when` of that trap: by kind, by cases, or with `alone`.",
        )


def _said(named: Sequence[str]) -> str:
    return f"named {' and '.join(named)}" if named else "not named"


def _unseen(trap: Trap) -> Remark:
    return Remark(
        "trap-without-rule",
        Weight.FAULT,
        f"{trap.id} is of the contract and has no `when`, so it is never named.",
        "say by which finding it shows.",
    )


def _unproved(trap: Trap, rules: Sequence[str]) -> Remark:
    return Remark(
        "trap-unproved",
        Weight.NOTE,
        f"{trap.id}: nothing shows that it is named by {', or by '.join(rules)}.",
        "put a wrong solution into wrong/ beside the problem, with `# traps:` on its second line.",
    )
