"""How well mistakes are named: precision, recall, the marked line, and the time it takes.

Grades every file of a folder of wrong solutions once a seed. A file says on its second line which
traps are to be named (none: a mistake outside the catalogue), and marks the lines of its mistakes
with `# <- mistake`.

    python tests/benchmarks/bench_diagnosis.py [FOLDER] [--seeds N] [--list]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import torch
from measure import PROBLEM, ROOT

from grader.grading import run as runs
from grader.grading.exam import Exam
from grader.grading.grade import grade_solution
from grader.problem.load import load
from grader.results import Diagnosis, Verdict
from grader.sandbox.client import Server, start_fresh

FOLDER = ROOT / "tests" / "solutions" / "wrong" / PROBLEM.name
MARK = b"# <- mistake"


@dataclass(frozen=True)
class Sample:
    """A wrong solution and what is to be said of it; `kind` is single, pair or unknown."""

    path: Path
    traps: frozenset[str]
    marked: frozenset[int]

    @property
    def kind(self) -> str:
        return {0: "unknown", 1: "single"}.get(len(self.traps), "pair")


def samples(folder: Path) -> list[Sample]:
    found = []
    for path in sorted(folder.glob("*.py")):
        lines = path.read_bytes().splitlines()
        second = lines[1].decode(errors="replace") if len(lines) > 1 else ""
        traps = second.removeprefix("# traps:").split(",") if second.startswith("# traps:") else []
        marked = frozenset(n for n, line in enumerate(lines, 1) if MARK in line)
        found.append(Sample(path, frozenset(trap.strip() for trap in traps), marked))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="each file that is not named rightly")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    with start_fresh().settle(private=[str(PROBLEM), str(arguments.folder)]) as server:
        for seed in range(arguments.seeds):
            report(seed, samples(arguments.folder), server, show=arguments.list)


def report(seed: int, found: list[Sample], server: Server, *, show: bool) -> None:
    """Grade all at one seed and print the counts."""
    exam = Exam(load(PROBLEM), seed, "cpu")
    clock = _Clock()
    counts: Counter[str] = Counter()
    for sample in found:
        graded = grade_solution(exam, sample.path, server)
        if graded.verdict is Verdict.NOT_LOADABLE or graded.diagnosis is None:
            counts["not graded"] += 1
            continue
        _count(sample, graded.diagnosis, counts, show=show)
    print(f"seed {seed}")
    for kind in ("single", "pair", "unknown"):
        print(f"  {kind:8} {counts[kind + ' exact']} of {counts[kind]} named exactly")
    wrongly = counts["false names"]
    print(f"  {wrongly} false names in {counts['names']}; not graded: {counts['not graded']}")
    right, marked = counts["line right"], counts["line"]
    print(f"  marked line: {right} of {marked} ({right / max(marked, 1):.1%}), of the files graded")
    times = sorted(clock.times)
    print(f"  diagnosis: median {statistics.median(times):.0f} ms, longest {times[-1]:.0f} ms")


def _count(sample: Sample, diagnosis: Diagnosis, counts: Counter[str], *, show: bool) -> None:
    named = frozenset(trap.id for trap in diagnosis.traps)
    counts[sample.kind] += 1
    counts[f"{sample.kind} exact"] += named == sample.traps
    counts["names"] += len(named)
    counts["false names"] += len(named - sample.traps)
    if sample.marked:
        counts["line"] += 1
        counts["line right"] += diagnosis.line in sample.marked
    exact = named == sample.traps
    off = sample.marked and diagnosis.line not in sample.marked
    if show and (off or not exact):
        told = "" if exact else f" named {sorted(named)}, expected {sorted(sample.traps)}"
        where = f" line {diagnosis.line}, marked {sorted(sample.marked)}" if off else ""
        print(f"  {sample.path.stem}:{told}{where} ({diagnosis.first_wrong_stage})")


class _Clock:
    """Times every diagnosis that is made, trace included."""

    def __init__(self) -> None:
        self.times: list[float] = []
        diagnose = runs.Run.diagnose

        def timed(run: runs.Run, *rest: object) -> Diagnosis:
            started = time.perf_counter()
            try:
                return diagnose(run, *rest)  # type: ignore[arg-type]
            finally:
                self.times.append(1000 * (time.perf_counter() - started))

        runs.Run.diagnose = timed  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
