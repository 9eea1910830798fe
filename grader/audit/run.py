"""All questions to one problem, in the order in which their answers depend on each other."""

from __future__ import annotations

import platform
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch

import grader
from grader.audit.bench import Bench, Progress, largest_errors, silent
from grader.audit.cases import check_trivial, check_worth, telling_apart
from grader.audit.contract import check_contract
from grader.audit.limits import check_limits
from grader.audit.mutants import check_mutants
from grader.audit.naming import check_combinations, check_names
from grader.audit.reference import check_reference, check_right_path, check_starter, usable
from grader.audit.tolerances import check_loose, check_right_forms, too_tight
from grader.audit.ways import check_kills, find_ways, measure_ways
from grader.grading.computation import StagesFailed
from grader.grading.exam import Exam
from grader.grading.oracle import ReferenceFailed
from grader.problem.model import Problem
from grader.proof import Audit, Kill, Mutant, Naming, Remark, Usage, Weight
from grader.results import Report, Verdict
from grader.sandbox.client import Server
from grader.stages import Computation

COMBINATIONS_S = 30.0
"""For pairs of traps, of which there are too many to try them all."""


def audit_problem(
    problem: Problem,
    server: Server,
    *,
    seeds: int = 20,
    progress: Progress = silent,
    combinations_s: float = COMBINATIONS_S,
) -> Audit:
    """Audit a problem at the seeds 1 to `seeds`. Whatever is wrong with it becomes a remark."""
    found = _Found()
    started = time.perf_counter()
    try:
        with tempfile.TemporaryDirectory(prefix="tensor-grader-audit-") as folder:
            bench = _bench(problem, server, seeds, Path(folder), progress, found)
            _ask_all(bench, found, combinations_s)
    except StagesFailed as error:
        found.remarks.append(Remark("stages-invalid", Weight.FAULT, f"{error}."))
    except ReferenceFailed as error:
        found.remarks.append(Remark("reference-fails", Weight.FAULT, f"{error}."))
    return Audit(
        problem=problem.id,
        title=problem.title,
        problem_hash=problem.hash,
        seeds=seeds,
        remarks=tuple(sorted(found.remarks, key=lambda each: list(Weight).index(each.weight))),
        cases=found.cases,
        kills=tuple(found.kills),
        trivial=tuple(found.trivial),
        mutants=tuple(found.mutants),
        largest_errors=largest_errors(problem, found.right),
        timings=found.timings,
        versions=_versions(),
        duration_s=time.perf_counter() - started,
        naming=found.naming,
        usage=tuple(found.usage),
    )


@dataclass(slots=True)
class _Found:
    """What is known so far. `right`: reports on right solutions."""

    remarks: list[Remark] = field(default_factory=list)
    cases: tuple[str, ...] = ()
    kills: list[Kill] = field(default_factory=list)
    trivial: list[Kill] = field(default_factory=list)
    mutants: list[Mutant] = field(default_factory=list)
    right: list[Report] = field(default_factory=list)
    usage: list[Usage] = field(default_factory=list)
    naming: Naming = field(default_factory=Naming)
    telling: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timed(self, check: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.timings[check] = time.perf_counter() - started


def _bench(
    problem: Problem, server: Server, seeds: int, folder: Path, progress: Progress, found: _Found
) -> Bench:
    """The problem without what its reference contradicts, at every seed."""
    sound, found.remarks = usable(problem, 1)
    if not sound.cases:
        raise ReferenceFailed("no case is left to audit")
    exams = tuple(Exam(sound, seed, "cpu") for seed in range(1, seeds + 1))
    bench = Bench(sound, exams, server, folder, progress)
    found.cases = tuple(case.name for case in bench.cases())
    return bench


def _ask_all(bench: Bench, found: _Found, combinations_s: float) -> None:
    computation = bench.exam.computation()
    with found.timed("reference"):
        reports, remarks = check_reference(bench)
        found.remarks += remarks
        disagreements = [] if computation is None else check_right_path(bench, computation)
        found.remarks += disagreements
    with found.timed("limits"):
        found.usage, limits = check_limits(bench, reports)
        found.remarks += limits
    found.right += reports
    if disagreements or any(report.verdict is not Verdict.ACCEPTED for report in reports):
        message = "nothing else was looked at, for all of it builds on the reference."
        found.remarks.append(Remark("audit-cut-short", Weight.NOTE, message))
        return
    with found.timed("right forms"):
        forms, remarks = check_right_forms(bench)
        found.right += forms
        found.remarks += [*too_tight(bench.problem, found.right), *remarks]
        found.remarks += check_loose(bench.problem, found.right)
    found.remarks += check_starter(bench)
    if computation is not None:
        _ask_stages(bench, computation, found, combinations_s)
    with found.timed("contract"):
        kills, showing, remarks = check_contract(bench)
        found.kills += kills
        found.telling += showing
        found.remarks += remarks
    with found.timed("mutants"):
        source = bench.problem.reference.read_text(encoding="utf-8")
        found.mutants, remarks = check_mutants(bench.exam, bench.server, source, bench.progress)
        found.remarks += remarks
    with found.timed("cases"):
        found.trivial, remarks = check_trivial(bench)
        found.remarks += remarks
        kills = [*found.kills, *found.trivial]
        found.remarks += check_worth(bench.cases(), kills, found.mutants, found.telling)


def _ask_stages(
    bench: Bench, computation: Computation, found: _Found, combinations_s: float
) -> None:
    with found.timed("traps"):
        ways, remarks = find_ways(bench, computation)
        found.remarks += remarks
        found.kills += measure_ways(bench, computation, ways)
        found.remarks += check_kills(found.kills, len(bench.problem.cases))
        found.telling += telling_apart(bench, computation, ways)
    with found.timed("names"):
        seen = [way for way, kill in zip(ways, found.kills, strict=True) if kill.strongest > 1.0]
        found.naming, remarks = check_names(bench, computation, seen)
        found.remarks += remarks
    with found.timed("combinations"):
        pairs, remarks = check_combinations(bench, computation, seen, combinations_s)
        found.naming = replace(pairs, ways=found.naming.ways, ways_named=found.naming.ways_named)
        found.remarks += remarks


def _versions() -> dict[str, str]:
    return {
        "grader": grader.__version__,
        "python": platform.python_version(),
        "torch": str(torch.__version__),
    }
