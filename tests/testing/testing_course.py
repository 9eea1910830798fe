"""A course with one small problem, the toy of the tests of grading, here with stages and traps."""

from __future__ import annotations

from pathlib import Path

from grader.problem.load import load
from grader.problem.model import Problem
from tests.grading.grading_toy import SPEC, make_problem

TRAPS = """\
  over_rows: {stage: parts, title: shared over the rows, why: Parts., hint: Which axis?}
  raised: {stage: sums, title: a number is added, why: None is., hint: Which number?}
  broken: {stage: sums, title: it breaks, why: It breaks., hint: Where?}
"""
STAGES = """\
from grader.stages import Computation, Fitted, Stage, Variant

COMPUTATION = Computation(
    stages=(
        Stage("moved", right=lambda x, bias: x + bias),
        Stage(
            "parts",
            right=lambda moved: moved.softmax(-1),
            traps={
                "over_rows": [
                    lambda moved: moved.softmax(0),
                    Variant({"parts": lambda moved: moved.exp() / moved.exp().sum(0)}),
                ]
            },
        ),
        Stage(
            "sums",
            right=lambda moved, factor: factor * moved.sum(-1),
            traps={
                "raised": [
                    Fitted(
                        lambda moved, factor, constant: factor * moved.sum(-1) + constant,
                        lambda moved, factor, total: float((total - factor * moved.sum(-1)).mean()),
                    )
                ],
                "broken": [lambda moved: moved.reshape(-1, 1000)],
            },
        ),
    ),
    outputs={"total": "sums", "shares": "parts"},
)
"""


def make_course(folder: Path) -> Problem:
    """`problems/toy` and `solutions/toy.py` under the folder."""
    problem = make_problem(folder, SPEC + TRAPS)
    (problem.folder / "stages.py").write_text(STAGES)
    return load(problem.folder)
