"""What all formats show of an audit: the table trap by case, counts and figures; no layout."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from grader.proof import CLEAR, Audit, Kill, Mutant, Weight
from grader.report.text import plural


class Cell(Enum):
    """What a case makes of a mistake that has one or several ways. Value: words for the legend."""

    CLEAR = "clearly rejected: by ten tolerances or more, in whichever way it is made"
    SOME = "clearly rejected in some of its ways"
    WEAK = "rejected, by less than ten tolerances"
    ACCEPTED = "accepted"
    ABSENT = "not put to it"


SIGNS = {
    Cell.CLEAR: "●",
    Cell.SOME: "◐",
    Cell.WEAK: "○",
    Cell.ACCEPTED: "·",
    Cell.ABSENT: " ",
}
HEADINGS = {Weight.FAULT: "Must be mended", Weight.WARNING: "Look at", Weight.NOTE: "Notes"}
LEAST = "the error of its least visible way where that is seen best, in tolerances"


@dataclass(frozen=True, slots=True)
class Row:
    """A mistake. `least` is the error of the way that is hardest to see, in the case that sees it
    best, in tolerances; `ways` how many it has."""

    name: str
    kind: str
    cells: tuple[Cell, ...]
    least: float
    ways: int


@dataclass(frozen=True, slots=True)
class CaseCount:
    """What a case is good for: the traps that it clearly rejects in some way, those of them that
    no earlier case does, and the mutants that it was the first to reject."""

    name: str
    traps: int
    first: int
    mutants: int


def rows(kills: Iterable[Kill], cases: Sequence[str]) -> list[Row]:
    """One row for each trap, or for each trivial answer, in the order of the kills."""
    grouped: dict[tuple[str, str], list[Kill]] = {}
    for kill in kills:
        grouped.setdefault((kill.trap or kill.row, kill.kind), []).append(kill)
    return [
        Row(
            name=name,
            kind=kind,
            cells=tuple(_cell(group, case) for case in cases),
            least=min(kill.strongest for kill in group),
            ways=len(group),
        )
        for (name, kind), group in grouped.items()
    ]


def case_counts(audit: Audit) -> list[CaseCount]:
    """For each case in the order in which they are put."""
    table = rows(audit.kills, audit.cases)
    refused = [
        {case for case, cell in zip(audit.cases, row.cells, strict=True) if _is_clear(cell)}
        for row in table
    ]
    first = Counter(next((c for c in audit.cases if c in found), "") for found in refused)
    mutants = Counter(mutant.killed_by for mutant in audit.mutants)
    return [
        CaseCount(case, sum(case in found for found in refused), first[case], mutants[case])
        for case in audit.cases
    ]


def error_text(error: float) -> str:
    """`3e+06`, `12`, `0.4`; `all` where nothing could be compared, so that all of it is wrong."""
    if math.isinf(error):
        return "all"
    return f"{error:.0e}" if error >= 1000 else f"{error:.2g}"


def verdict_words(audit: Audit) -> tuple[str, str]:
    """`sound`, `0 faults, 1 warning, 0 notes`."""
    counts = ", ".join(plural(audit.count(weight), weight.value) for weight in Weight)
    return "sound" if audit.passed else "not sound", counts


def survivors(audit: Audit) -> list[Mutant]:
    """The mutants that no case tells from the reference, and that nobody declared equivalent."""
    return [each for each in audit.mutants if each.killed_by is None and not each.declared]


def figures(audit: Audit) -> list[str]:
    """The numbers of the audit, each in a line of words."""
    return [*_naming(audit), *_mutants(audit), *_errors(audit), *_usage(audit)]


def _naming(audit: Audit) -> Iterator[str]:
    found = audit.naming
    if found.ways:
        yield f"{found.ways_named} of {found.ways} ways to make a trap are named exactly"
    if found.combinations:
        yield (
            f"{found.tried} of {found.combinations:,} pairs of traps were tried: "
            f"{found.combinations_named} are named exactly, {found.inseparable} look just like "
            "fewer or other traps"
        )


def _mutants(audit: Audit) -> Iterator[str]:
    if audit.mutants:
        killed = sum(mutant.killed_by is not None for mutant in audit.mutants)
        declared = sum(bool(mutant.declared) for mutant in audit.mutants)
        yield (
            f"{plural(len(audit.mutants), 'mutant')} of the reference: {killed} rejected, "
            f"{declared} declared equivalent, {len(survivors(audit))} accepted"
        )


def _errors(audit: Audit) -> Iterator[str]:
    found = [f"{dtype} {error:.2g}" for dtype, error in sorted(audit.largest_errors.items())]
    if found:
        yield f"largest error of right solutions, in tolerances: {', '.join(found)}"


def _usage(audit: Audit) -> Iterator[str]:
    found = [f"{u.resource} {u.used:.2g} of {u.limit:.4g} {u.unit}" for u in audit.usage]
    if found:
        yield f"the reference uses, of its limits: {', '.join(found)}"


def _cell(group: Sequence[Kill], case: str) -> Cell:
    errors = [kill.cases[case] for kill in group if case in kill.cases]
    if not errors:
        return Cell.ABSENT
    if min(errors) >= CLEAR and len(errors) == len(group):
        return Cell.CLEAR
    if max(errors) >= CLEAR:
        return Cell.SOME
    return Cell.WEAK if max(errors) > 1.0 else Cell.ACCEPTED


def _is_clear(cell: Cell) -> bool:
    return cell in (Cell.CLEAR, Cell.SOME)
