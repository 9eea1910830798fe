"""Hostile solutions: each gets a verdict in time, and leaves nothing behind."""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.results import Verdict
from grader.sandbox import scratch
from grader.sandbox.client import Server
from tests.cli.cli_process import descendants, is_alive, wait_until
from tests.grading.grading_files import ROOT, Promise, name, promises
from tests.grading.grading_solutions import SEEDS, exam_of, graded

SLACK_S = 8.0
"""For forks that are started anew, and a busy machine: limits are per case and per import."""


@pytest.fixture
def alone() -> Iterator[None]:
    """One hostile file at a time on this machine, for what one leaves is looked for everywhere."""
    with Path(tempfile.gettempdir(), f"hostile-solutions-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


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
@pytest.mark.usefixtures("alone")
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
