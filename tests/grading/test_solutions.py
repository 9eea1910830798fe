"""Solutions with a known verdict: every file of tests/solutions/ is graded on its real problem.

Right ones get every point with a margin, mistakes that the checks can see are named, others get no
name, and hostile ones get a verdict in time and leave nothing behind. `TENSOR_GRADER_SEEDS=N` tries
N seeds a file.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.grading.exam import Exam
from grader.grading.grade import grade_solution
from grader.problem.load import load
from grader.problem.model import Problem
from grader.results import Report, Verdict
from grader.sandbox import scratch
from grader.sandbox.client import Server, start_fresh
from tests.cli.cli_process import descendants, is_alive, wait_until
from tests.grading.grading_files import ROOT, SOLUTIONS, Promise, name, promises

SEEDS = range(1, 1 + int(os.environ.get("TENSOR_GRADER_SEEDS", "1")))
MARGIN = {"float16": 1.0, "bfloat16": 1.0}
"""How much of its tolerance a right solution may use; a third, in the other dtypes."""
SLACK_S = 5.0
"""For forks that are started anew, and a busy machine: limits are per case and per import."""


@functools.cache
def problem_of(problem_id: str) -> Problem:
    return load(ROOT / "problems" / problem_id)


@functools.cache
def exam_of(problem_id: str, seed: int, *, short: bool = False) -> Exam:
    """The problem at a seed; `short`: with limits that a hostile file meets soon."""
    problem = problem_of(problem_id)
    if short:
        limits = replace(
            problem.limits, import_s=4.0, case_s=2.0, total_s=4.0, memory_mb=512, output_kb=64
        )
        problem = replace(problem, limits=limits)
    return Exam(problem, seed, "cpu")


@pytest.fixture(scope="session")
def strict_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all, from which problems, references and the submissions are kept."""
    private = [str(ROOT / "problems"), str(ROOT / "solutions"), str(SOLUTIONS)]
    with start_fresh().settle("auto", private=private) as server:
        yield server


@pytest.fixture(params=SEEDS)
def seed(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def graded(
    promise: Promise, server: Server, folder: Path, seed: int, *, short: bool = False
) -> Report:
    """The report on a copy of the file: some overwrite or delete themselves."""
    copy = folder / promise.path.name
    shutil.copyfile(promise.path, copy)
    return grade_solution(exam_of(promise.problem, seed, short=short), copy, server)


def traps(report: Report) -> tuple[str, ...]:
    return tuple(trap.id for trap in report.diagnosis.traps) if report.diagnosis else ()


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


def leftovers() -> list[str]:
    """Processes that a hostile file left running, by the marks they carry."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if b"tensor-grader-leftover" in command:
                found.append(entry.name)
    return found


def processes_of(server: Server) -> set[int]:
    """The server's descendants that are alive."""
    return {pid for pid, _ in descendants(server._pid) if is_alive(pid)}


def files_in(*folders: Path) -> dict[str, str]:
    """Every file in these folders, with a hash of what it holds."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def scratch_folders(prefix: str) -> list[Path]:
    """What the grader itself left in the temporary folder."""
    return list(Path(tempfile.gettempdir()).glob(f"{prefix}*"))


@pytest.mark.slow
@pytest.mark.parametrize("promise", promises("hostile"), ids=name)
def test_hostile(
    promise: Promise, strict_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A verdict it may have, in time; nothing of it is left, and nothing was changed."""
    prefix = f"tensor-grader-{os.getpid()}-"
    monkeypatch.setattr(scratch, "_PREFIX", prefix)
    kept = (ROOT / "problems", ROOT / "solutions")
    before, family = files_in(*kept), processes_of(strict_server)
    started = time.monotonic()
    short = "accepted" not in promise.verdicts  # else it is right, and may take its time
    report = graded(promise, strict_server, tmp_path, SEEDS[0], short=short)
    took_s = time.monotonic() - started
    limits = exam_of(promise.problem, SEEDS[0], short=short).problem.limits
    assert report.verdict in promise.verdicts, report.summary
    assert report.verdict is not Verdict.JUDGE_ERROR
    assert took_s < limits.import_s + limits.total_s + SLACK_S
    assert wait_until(lambda: processes_of(strict_server) <= family, SLACK_S)
    assert leftovers() == []
    assert scratch_folders(prefix) == []
    assert files_in(*kept) == before
    assert [path.name for path in tmp_path.iterdir()] == [promise.path.name]
    assert (tmp_path / promise.path.name).read_bytes() == promise.path.read_bytes()


@pytest.mark.slow
def test_others_are_graded_as_before(strict_server: Server, tmp_path: Path) -> None:
    """After all of them the same server still gives a right solution its points."""
    promise = promises("right")[0]
    assert graded(promise, strict_server, tmp_path, SEEDS[0]).verdict is Verdict.ACCEPTED
