"""Right solutions, in many styles: every point, no trap, far from the limit of each tolerance.

`TENSOR_GRADER_SEEDS=N` tries N seeds a file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.sandbox.client import Server
from tests.grading.grading_files import Promise, name, promises
from tests.grading.grading_solutions import graded, problem_of

MARGIN = {"float16": 1.0, "bfloat16": 1.0}
"""How much of its tolerance a right solution may use; a third, in the other dtypes."""


@pytest.mark.parametrize("promise", promises("right"), ids=name)
def test_right(promise: Promise, strict_server: Server, tmp_path: Path, seed: int) -> None:
    """Every point, no trap, and far from the limit of each tolerance."""
    report = graded(promise, strict_server, tmp_path, seed)
    lost = [case.name for case in report.cases if case.score != case.max_score]
    assert (report.verdict, lost, report.diagnosis) == ("accepted", [], None), report.summary
    assert report.score == report.max_score == problem_of(promise.problem).points
    dtypes = {case.name: case.dtype for case in problem_of(promise.problem).cases}
    close = {
        case.name: case.largest_error
        for case in report.cases
        if (case.largest_error or 0) >= MARGIN.get(dtypes[case.name], 1 / 3)
    }
    assert close == {}
