"""One solution in a server that is already warm: what a class costs for each of its members.

Measures `grade_solution` on all cases, and where its time goes: `open` (a fork, confined), `load`
(the file is imported), `calls` (arguments there, answers back), `close` (the fork is killed, waited
for and cleaned up), and the rest (checks, report). Beside it stands a bare fork of this process,
which holds torch as the server does: the least that a process of its own can cost.

    python tests/benchmarks/bench_session.py [ROUNDS]
"""

from __future__ import annotations

import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from statistics import median
from typing import Any

from measure import PROBLEM, SOLUTION, by_turns, core_sets, only_on, ratio

from grader.grading.exam import Exam
from grader.grading.grade import grade_solution
from grader.problem.load import load
from grader.sandbox.client import Server, start_fresh

PARTS = {"open_session": "open", "load": "load", "call": "calls", "__exit__": "close"}


class Timed:
    """Stands for a server or a session and adds up the seconds in the methods that PARTS names."""

    def __init__(self, inner: Any, seconds: dict[str, float]) -> None:
        self._inner = inner
        self._seconds = seconds

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        return self._clocked(name, value) if name in PARTS else value

    def __exit__(self, *_: object) -> None:
        self._clocked("__exit__", self._inner.__exit__)()

    def _clocked(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def clocked(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            result = method(*args, **kwargs)
            self._seconds[PARTS[name]] += time.perf_counter() - started
            return Timed(result, self._seconds) if name == "open_session" else result

        return clocked


def bare_fork() -> float:
    """Milliseconds of a fork that ends at once, waited for."""
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return (time.perf_counter() - started) * 1000


class Grading:
    """Grades the reference again and again, keeping the parts of each time."""

    def __init__(self, exam: Exam, server: Server) -> None:
        self.exam = exam
        self.server = server
        self.parts: dict[str, list[float]] = defaultdict(list)

    def once(self) -> float:
        """Milliseconds of one grade."""
        seconds: dict[str, float] = defaultdict(float)
        started = time.perf_counter()
        report = grade_solution(self.exam, SOLUTION, Timed(self.server, seconds))  # type: ignore[arg-type]
        seconds["whole"] = time.perf_counter() - started
        seconds["rest"] = 2 * seconds["whole"] - sum(seconds.values())
        assert report.verdict == "accepted", report.summary
        for part, spent in seconds.items():
            self.parts[part].append(spent * 1000)
        return seconds["whole"] * 1000


def main(rounds: int) -> None:
    for words, cores in core_sets():
        with only_on(cores), start_fresh().settle() as server:
            grading = Grading(Exam(load(PROBLEM), 1, "cpu"), server)
            found = by_turns({"grade": grading.once, "fork": bare_fork}, rounds)
        print(f"{words}, median of {rounds}, {len(grading.exam.problem.cases)} cases")
        for part in ("whole", "open", "load", "calls", "close", "rest"):
            print(f"  {part:<9} {median(grading.parts[part][1:]):7.1f} ms")
        times = ratio(found["grade"], found["fork"])
        print(f"  bare fork {median(found['fork']):7.1f} ms   a grade is {times:.1f} x")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
