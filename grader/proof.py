"""What an audit of a problem found: remarks, what fails which case, mutants. Frozen; no torch.

An `Audit` is complete in itself: writers take one and return text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

CLEAR = 10.0
"""An error of so many tolerances cannot be taken for rounding: a clear kill."""

KillKind = Literal["stage", "contract", "trivial"]


class Weight(StrEnum):
    """How much a remark matters. A fault means that the problem must not meet a class."""

    FAULT = "fault"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Remark:
    """One plain sentence about the problem. `check` is a stable id, such as trap-not-rejected."""

    check: str
    weight: Weight
    message: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class Kill:
    """A wrong answer, and by how much each case refuses it.

    `row` names it for a reader. `cases`: by name, the error in tolerances (above 1: rejected),
    infinite where nothing is to be compared; of several seeds the least. A case that was not put to
    it is absent. `trap` is the mistake that it is a way to make, "" of a trivial answer.
    """

    row: str
    cases: Mapping[str, float]
    trap: str = ""
    kind: KillKind = "stage"

    @property
    def strongest(self) -> float:
        """The error where it is seen best; 0 where it was not put to any case."""
        return max(self.cases.values(), default=0.0)

    def rejected(self, least: float = CLEAR) -> frozenset[str]:
        """The cases with an error of at least so many tolerances."""
        return frozenset(name for name, error in self.cases.items() if error >= least)


@dataclass(frozen=True, slots=True)
class Mutant:
    """The reference, changed in one place.

    `killed_by` is the first case that refuses it, None where all accept it. `declared` is the
    author's reason why it computes the same as the reference.
    """

    id: str
    line: int
    operator: str
    diff: str
    killed_by: str | None
    declared: str = ""


@dataclass(frozen=True, slots=True)
class Naming:
    """How many wrong answers were handed to the diagnosis, and how many it named exactly.

    `combinations` are of two traps at different stages, of which `tried` were tried;
    `inseparable` of these look in every case just like fewer or other traps, or cancel out.
    """

    ways: int = 0
    ways_named: int = 0
    combinations: int = 0
    tried: int = 0
    combinations_named: int = 0
    inseparable: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What the reference uses of a limit: seconds, or MB beyond what an idle process holds."""

    resource: str
    used: float
    limit: float
    unit: str


@dataclass(frozen=True, slots=True)
class Audit:
    """A problem, audited.

    `cases` in the order in which they are put. `largest_errors`: of right solutions by dtype, in
    tolerances. `timings`: seconds by check.
    """

    problem: str
    title: str
    problem_hash: str
    seeds: int
    remarks: tuple[Remark, ...]
    cases: tuple[str, ...]
    kills: tuple[Kill, ...]
    trivial: tuple[Kill, ...]
    mutants: tuple[Mutant, ...]
    largest_errors: Mapping[str, float]
    timings: Mapping[str, float]
    versions: Mapping[str, str]
    duration_s: float
    naming: Naming = field(default_factory=Naming)
    usage: tuple[Usage, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing was found that must be mended."""
        return not self.count(Weight.FAULT)

    def count(self, weight: Weight) -> int:
        """How many remarks have this weight."""
        return sum(remark.weight is weight for remark in self.remarks)
