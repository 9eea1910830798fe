"""What a grade is made of: verdicts, findings, diagnosis, report. Frozen, and free of torch.

Everything below (grading, report, batch, cli) speaks in these types. A `Report` is complete in
itself: writers take one and return text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Literal

Visibility = Literal["public", "hidden"]
Audience = Literal["instructor", "learner"]


class Verdict(StrEnum):
    """The closed set of outcomes, of a case and of a solution."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    RUNTIME_ERROR = "runtime_error"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    NOT_LOADABLE = "not_loadable"
    SKIPPED = "skipped"
    JUDGE_ERROR = "judge_error"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a check saw: what failed, where, how to mend it.

    `check` is the check's name (shape, dtype, values, ...). `kind` is the machine-readable
    variety of the failure ("permuted", "tuple", ...), by which a problem recognises its traps.
    """

    check: str
    message: str
    help: str = ""
    output: str | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of the learner's file in a traceback; `source` is quoted from the submission.

    `column` (from 1, within `source`) is where a syntax error was seen.
    """

    line: int
    function: str
    source: str
    column: int | None = None


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The outcome of one case.

    `description` says dtype and sizes in words; `hint` is the only text a learner sees of a hidden
    case that failed. `largest_error` is the greatest error over its tolerance (1.0 = at the limit),
    None when no values were compared. `duration_s` is the time of the call itself.
    """

    name: str
    visibility: Visibility
    verdict: Verdict
    score: Decimal
    max_score: Decimal
    duration_s: float
    findings: tuple[Finding, ...] = ()
    description: str = ""
    hint: str = ""
    frames: tuple[Frame, ...] = ()
    output: str = ""
    output_cut: bool = False
    largest_error: float | None = None


@dataclass(frozen=True, slots=True)
class NamedTrap:
    """A known mistake, as it is told: `stage` is a step of the computation, or "contract"."""

    id: str
    stage: str
    title: str
    hint: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a solution fails, as far as it is known; `traps` is empty when nothing known fits.

    `case` is the case by which it is shown: `line`, `source` and, where no trap is named, the
    `summary` come from it. None: from the file as a whole.
    """

    traps: tuple[NamedTrap, ...]
    summary: str
    failed_cases: int
    explained_cases: int = 0
    alternatives: tuple[tuple[str, ...], ...] = ()
    first_wrong_stage: str | None = None
    line: int | None = None
    source: str | None = None
    last_right_line: int | None = None
    case: str | None = None
    last_right_source: str | None = None
    right_stage: str | None = None
    """What the last right line had right."""
    evidence: str = ""
    """How closely the named mistakes give what was returned, and in how many cases."""
    relation: str = ""
    """Where nothing is named: what the outputs tell of each other."""


@dataclass(frozen=True, slots=True)
class Isolation:
    """What held the solution. `landlock` is the kernel's ABI, 0 when off; `missing` is in words."""

    namespaces: bool
    landlock: int
    memory: Literal["cgroup", "rss"]
    network: Literal["none", "host"]
    seccomp: bool = False
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """One solution, graded. `score` and `max_score` are exact."""

    problem: str
    title: str
    problem_hash: str
    solution: str
    solution_hash: str
    device: str
    seed: int
    verdict: Verdict
    score: Decimal
    max_score: Decimal
    cases: tuple[CaseResult, ...]
    diagnosis: Diagnosis | None
    isolation: Isolation
    versions: dict[str, str]
    duration_s: float
    summary: str = ""
    findings: tuple[Finding, ...] = field(default=())
    """Findings about the file as a whole: it could not be loaded, or its import failed."""
    frames: tuple[Frame, ...] = ()
    output: str = ""
    output_cut: bool = False
