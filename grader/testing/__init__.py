"""What an author needs to test a problem in a pytest of their own: grades, stages, traps.

    from pathlib import Path
    from grader.testing import assert_accepted, assert_rejected, grade, load_problem

    PROBLEM = load_problem("problems/row_rms")

    def test_the_other_axis_is_named():
        report = grade(PROBLEM, "def row_rms(values, eps=1e-6): return values.square().mean(0)")
        assert_rejected(report, traps=["other_axis"])

    def test_another_way_to_write_it():
        assert_accepted(grade(PROBLEM, Path("attempts/einsum.py")))

Solutions run as in every grade: isolated, in forks of one warm server, which starts with the first
grade and is kept until the process ends. A case is given by its name; the seed is 0 unless said.

The pytest plugin (`grader.pytest_plugin`) has its parts here too. It reads problems without torch,
so what needs torch is imported when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.testing.authors import (
        assert_accepted,
        assert_rejected,
        expected_of,
        grade,
        inputs_of,
        load_problem,
        stage,
        text_of,
        trap,
    )

__all__ = [
    "assert_accepted",
    "assert_rejected",
    "expected_of",
    "grade",
    "inputs_of",
    "load_problem",
    "stage",
    "text_of",
    "trap",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from grader.testing import authors

    return getattr(authors, name)
