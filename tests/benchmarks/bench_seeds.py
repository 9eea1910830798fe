"""Many seeds: right solutions are never refused, wrong ones never accepted.

Grades on seeds 0 to N - 1, all in one server, and counts. Without a folder it is the reference
alone, on 200 seeds; of what is accepted, the largest error is shown as a share of the tolerance,
by dtype: what is left to 1 is the room that the tolerances leave to other ways of computing.

    python tests/benchmarks/bench_seeds.py [--seeds N]
    python tests/benchmarks/bench_seeds.py --right tests/solutions/right/full_attention_residual
    python tests/benchmarks/bench_seeds.py --wrong tests/solutions/wrong/full_attention_residual

Exit code 1 where a count is not what it should be.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from measure import PROBLEM, SOLUTION

from grader.grading.exam import Exam
from grader.grading.grade import grade_solution
from grader.problem.load import load
from grader.problem.model import Problem
from grader.results import Report, Verdict
from grader.sandbox.client import Server, start_fresh


@dataclass
class Count:
    """What came of all seeds: verdicts by file, and the largest shares of a tolerance."""

    verdicts: dict[str, Counter[Verdict]] = field(default_factory=lambda: defaultdict(Counter))
    largest: dict[str, tuple[float, str]] = field(default_factory=dict)

    def add(self, problem: Problem, path: Path, report: Report) -> None:
        self.verdicts[path.name][report.verdict] += 1
        dtypes = {case.name: case.dtype for case in problem.cases}
        for case in report.cases:
            if case.verdict is Verdict.ACCEPTED and case.largest_error is not None:
                where = f"{path.name}, seed {report.seed}, {case.name}"
                known = self.largest.get(dtypes[case.name], (0.0, ""))
                self.largest[dtypes[case.name]] = max(known, (case.largest_error, where))

    def files_with(self, *, accepted: bool) -> dict[str, int]:
        """Files that got this outcome, and on how many seeds."""
        numbers = {
            name: sum(n for verdict, n in found.items() if (verdict == "accepted") is accepted)
            for name, found in self.verdicts.items()
        }
        return {name: number for name, number in numbers.items() if number}


def count(problem: Problem, files: Iterable[Path], seeds: int, server: Server) -> Count:
    """Seed by seed, so that the expected values of one are made once and not kept."""
    result = Count()
    paths = tuple(files)
    for seed in range(seeds):
        exam = Exam(problem, seed, "cpu")
        for path in paths:
            result.add(problem, path, grade_solution(exam, path, server))
    return result


def lines(result: Count, *, should_pass: bool) -> Iterator[str]:
    wrong = result.files_with(accepted=not should_pass)
    word = "refused" if should_pass else "accepted"
    yield f"  {len(result.verdicts)} files, {len(wrong)} of them {word} on some seed"
    for name, seeds in sorted(wrong.items()):
        told = ", ".join(f"{verdict} {n}" for verdict, n in result.verdicts[name].items())
        yield f"  {name}: {word} on {seeds} seeds ({told})"
    if should_pass:
        for dtype, (share, where) in sorted(result.largest.items()):
            yield f"  {dtype:<9} largest error {share * 100:8.2g} % of the tolerance   {where}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, help="how many (200 for the reference, else 50)")
    parser.add_argument("--right", type=Path, metavar="DIR", help="none of these may be refused")
    parser.add_argument("--wrong", type=Path, metavar="DIR", help="none of these may be accepted")
    given = parser.parse_args()
    tasks = [
        (folder, sorted(folder.glob("*.py")), folder == given.right)
        for folder in (given.right, given.wrong)
        if folder is not None
    ] or [(SOLUTION, [SOLUTION], True)]
    failed = False
    problem = load(PROBLEM)
    with start_fresh().settle(private=[str(PROBLEM), str(SOLUTION.parent)]) as server:
        for shown, files, should_pass in tasks:
            seeds = given.seeds or (200 if files == [SOLUTION] else 50)
            started = time.perf_counter()
            result = count(problem, files, seeds, server)
            print(f"{shown}: {seeds} seeds, {time.perf_counter() - started:.0f} s")
            for line in lines(result, should_pass=should_pass):
                print(line)
            failed |= bool(result.files_with(accepted=not should_pass))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
