"""One grade, beside a bare interpreter that makes the same calls.

Measures the wall time of `cli.py grade solutions/full_attention_residual.py`, set-up, isolation,
expected values, all checks and the report included, and divides it by the wall time of
`bare_run.py`: `import torch`, inputs from a file, the same calls with the same gradients. The aim
is 1.25. Three bare runs, for what is the same can be argued about:

- bare: all calls but the one on the meta device, and a normal end of the interpreter;
- quick end: it leaves out torch's tear-down, as the grader does. The strictest measure;
- meta too: the call on the meta device is made, for which torch loads 800 modules, at its first
  use. The grader makes that call too, in a way that does not need them.

    python tests/benchmarks/bench_grade.py [ROUNDS]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import torch
from measure import PROBLEM, SOLUTION, by_turns, core_sets, only_on, program, ratio

from grader.grading.exam import Exam, PreparedCall
from grader.problem.load import load
from grader.problem.model import Problem

SEED = 1


def write_calls(problem: Problem, file: Path) -> None:
    """The calls of a grade with their inputs, strides and all, for `bare_run.py`."""
    exam = Exam(problem, SEED, "cpu")
    calls = []
    for case in problem.cases:
        prepared = exam.prepared(case)
        for call in (*prepared.before, *[prepared.main] * case.repeats):
            calls.append(as_plain(call))
    torch.save({"entry": problem.entry, "calls": calls}, file)


def as_plain(prepared: PreparedCall) -> dict[str, Any]:
    call = prepared.call
    return {
        "device": call.device,
        "arguments": {argument.name: argument.value for argument in call.arguments},
        "gradients": call.gradients,
        "cotangents": call.cotangents,
    }


def measured(calls: Path, rounds: int) -> Iterator[str]:
    bare = (Path(__file__).with_name("bare_run.py"), SOLUTION, calls)
    walls = by_turns(
        {
            "grade": program("cli.py", "grade", SOLUTION, "--seed", str(SEED), "--device", "cpu"),
            "bare": program(*bare),
            "bare, quick end": program(*bare, "--quick"),
            "bare, meta too": program(*bare, "--meta"),
        },
        rounds,
    )
    for name, found in walls.items():
        yield f"  {name:<16} {median(found):6.3f} s   grade is {ratio(walls['grade'], found):.2f} x"


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        calls = Path(folder, "calls.pt")
        write_calls(load(PROBLEM), calls)
        for words, cores in core_sets():
            print(f"{words}, median of {rounds}")
            with only_on(cores):
                for line in measured(calls, rounds):
                    print(line)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
