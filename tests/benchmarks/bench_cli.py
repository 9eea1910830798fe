"""The commands that only read: `list`, `--help`, `hint`, each from start to end.

The limit for the first two is 0.3 s, so that the program feels immediate; they import neither torch
nor pydantic. An interpreter that does nothing is the least it could be.

    python tests/benchmarks/bench_cli.py [ROUNDS]
"""

from __future__ import annotations

import sys
from statistics import median

from measure import PROBLEM, by_turns, core_sets, only_on, program

COMMANDS = {
    "nothing": ["-c", ""],
    "--help": ["cli.py", "--help"],
    "list": ["cli.py", "list"],
    "hint": ["cli.py", "hint", PROBLEM.name],
}
LIMIT_S = 0.3


def main(rounds: int) -> None:
    for label, cores in core_sets():
        with only_on(cores):
            found = by_turns({name: program(*words) for name, words in COMMANDS.items()}, rounds)
        print(f"{label}, median of {rounds}, limit {LIMIT_S} s")
        for name, walls in found.items():
            print(f"  {name:<8} {median(walls):6.3f} s   slowest {max(walls):6.3f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
