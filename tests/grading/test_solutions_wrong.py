"""Wrong solutions: the mistakes that they make by name, no more and no less.

Mistakes outside the catalogue get no name. `TENSOR_GRADER_SEEDS=N` tries N seeds a file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.results import Report
from grader.sandbox.client import Server
from tests.grading.grading_files import Promise, name, promises
from tests.grading.grading_solutions import graded


def traps(report: Report) -> tuple[str, ...]:
    return tuple(trap.id for trap in report.diagnosis.traps) if report.diagnosis else ()


@pytest.mark.parametrize("promise", promises("wrong"), ids=name)
def test_wrong(
    promise: Promise,
    strict_server: Server,
    tmp_path: Path,
    seed: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Its verdict, and the mistakes that it makes by name, no more and no less."""
    caplog.set_level("DEBUG", logger="grader")
    report = graded(promise, strict_server, tmp_path, seed)
    assert not caplog.records, "the diagnosis failed"
    assert report.verdict in promise.verdicts, report.summary
    assert report.score < report.max_score
    assert set(traps(report)) == set(promise.traps), report.summary
