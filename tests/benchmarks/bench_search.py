"""What a diagnosis costs: the search over all pairs of mistakes, over triples, and the trace.

The search is timed where it finds nothing, on mistakes outside the catalogue, for there it goes
through all combinations. A right solution is searched for nothing: that is counted, too.

    python tests/benchmarks/bench_search.py [--files N]
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path
from typing import Any

import torch
from measure import PROBLEM, ROOT

from grader.grading import diagnosis, run
from grader.grading.exam import Exam
from grader.grading.grade import grade_solution
from grader.grading.search import Evidence, Explanation, _Search
from grader.problem.load import load
from grader.sandbox.client import Server, start_fresh
from grader.stages import Computation

WRONG = ROOT / "tests" / "solutions" / "wrong" / PROBLEM.name
RIGHT = ROOT / "solutions" / f"{PROBLEM.name}.py"


class Searches:
    """Stands in for the search, and times each size of combination by itself."""

    def __init__(self) -> None:
        self.by_size: dict[int, list[float]] = {1: [], 2: [], 3: []}

    def __call__(self, computation: Computation, evidence: list[Evidence]) -> list[Explanation]:
        search = _Search(computation, evidence)
        for size, times in self.by_size.items():
            started = time.perf_counter()
            found = search.of_size(size)
            times.append(1000 * (time.perf_counter() - started))
            if found:
                return found
        return []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=30)
    files = sorted(WRONG.glob("unknown_*.py"))[: parser.parse_args().files]
    torch.set_num_threads(1)
    searches = Searches()
    diagnosis.explain = searches  # type: ignore[assignment]
    traces = timed(run.Run, "_trace")
    with start_fresh().settle(private=[str(PROBLEM)]) as server:
        exam = Exam(load(PROBLEM), 0, "cpu")
        grade_solution(exam, RIGHT, server)
        print(f"searches for the reference: {len(searches.by_size[1])}")
        whole = [grade(exam, path, server) for path in files]
    singles, pairs, triples = (statistics.median(searches.by_size[size]) for size in (1, 2, 3))
    print(f"{len(files)} mistakes outside the catalogue, median ms a file")
    print(f"  singles {singles:.0f}, all pairs {pairs:.0f}, triples {triples:.0f}")
    print(
        f"  trace {statistics.median(traces):.0f}, the whole grade {statistics.median(whole):.0f}"
    )


def grade(exam: Exam, path: Path, server: Server) -> float:
    started = time.perf_counter()
    grade_solution(exam, path, server)
    return 1000 * (time.perf_counter() - started)


def timed(owner: Any, name: str) -> list[float]:
    """Put a clock around a method; the list of milliseconds it fills."""
    times: list[float] = []
    method = getattr(owner, name)

    def measured(*arguments: Any) -> Any:
        started = time.perf_counter()
        try:
            return method(*arguments)
        finally:
            times.append(1000 * (time.perf_counter() - started))

    setattr(owner, name, measured)
    return times


if __name__ == "__main__":
    main()
