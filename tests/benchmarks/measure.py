"""What the benchmarks share: where things lie, clocks, and which processor cores to run on.

A wall time says little on a machine that others use too. So what is compared is run by turns in
one go, and the figure to look at is a median of ratios, each of two runs that were neighbours.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
PROBLEM = ROOT / "problems" / "full_attention_residual"
SOLUTION = ROOT / "solutions" / "full_attention_residual.py"

sys.path.insert(0, str(ROOT))  # a checkout is measured as it lies, installed or not


def program(*arguments: str | Path) -> Callable[[], float]:
    """A run of this interpreter with these arguments: the seconds from its start to its end.

    CalledProcessError where it fails.
    """

    def run() -> float:
        started = time.perf_counter()
        command = [sys.executable, *arguments]
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - started

    return run


def by_turns(
    contestants: Mapping[str, Callable[[], float]], rounds: int
) -> dict[str, tuple[float, ...]]:
    """Each contestant's figures, one a round, after one round that does not count.

    The order is turned around every other round, so that none always runs after the same one.
    """
    figures: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(rounds + 1):
        order = list(contestants) if number % 2 else list(contestants)[::-1]
        for name in order:
            figure = contestants[name]()
            if number:
                figures[name].append(figure)
    return {name: tuple(found) for name, found in figures.items()}


def ratio(one: Sequence[float], other: Sequence[float]) -> float:
    """Median of the ratios of neighbouring runs."""
    return median(a / b for a, b in zip(one, other, strict=True))


def core_sets() -> Iterator[tuple[str, set[int]]]:
    """The cores to measure on: two of those that are there, then one."""
    mine = sorted(os.sched_getaffinity(0))
    if len(mine) > 1:
        yield "two cores", set(mine[:2])
    yield "one core", set(mine[:1])


@contextmanager
def only_on(cores: set[int]) -> Iterator[None]:
    """Keep this process, and what it starts, to these cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
