"""Memory groups, and the resident set where none can be made."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.sandbox import memory
from grader.sandbox.memory import MemoryGroup
from tests.sandbox.sandbox_runs import needs_linux

pytestmark = needs_linux

HOLDS_64_MB = "x = bytearray(64 << 20); x[::4096] = b'x' * len(x[::4096]); print(1, flush=True)"
WAITS = "input()"


@pytest.fixture
def version2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for the kernel's, version 2; files appear in a group as it is made."""
    monkeypatch.setattr(memory, "_ROOT", tmp_path)
    (tmp_path / "cgroup.controllers").write_text("memory")
    make_folder = Path.mkdir

    def mkdir(self: Path) -> None:
        make_folder(self)
        for name in ("memory.max", "memory.swap.max", "memory.oom.group", "cgroup.procs"):
            (self / name).touch()

    monkeypatch.setattr(Path, "mkdir", mkdir)
    return tmp_path


@pytest.mark.usefixtures("version2")
def test_a_group_holds_memory_and_swap() -> None:
    """In bytes, the whole group ended at once."""
    group = memory.make_group(2, 512)
    assert group is not None
    limits = {
        name: (group.folder / name).read_text()
        for name in ("memory.max", "memory.swap.max", "memory.oom.group")
    }
    assert limits == {"memory.max": str(512 << 20), "memory.swap.max": "0", "memory.oom.group": "1"}


@pytest.mark.usefixtures("version2")
def test_groups_have_different_names() -> None:
    """However many run at once."""
    groups = [memory.make_group(2, 512) for _ in range(3)]
    assert len({group.folder for group in groups if group is not None}) == 3


@pytest.mark.parametrize(("version", "name"), [(1, "memory.oom_control"), (2, "memory.events")])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("oom_kill_disable 0\nunder_oom 0\noom_kill 1\n", True),
        ("low 0\noom 3\noom_kill 0\noom_group_kill 0\n", False),
        ("", False),
    ],
)
def test_the_kernel_tells_whether_the_limit_was_passed(
    tmp_path: Path, version: int, name: str, text: str, expected: bool
) -> None:
    """By its own count of processes it ended."""
    (tmp_path / name).write_text(text)
    assert MemoryGroup(tmp_path, version).overran() is expected


def test_a_group_that_is_gone_did_not_overrun(tmp_path: Path) -> None:
    """Nor can it be removed again, or emptied; none of it is an error."""
    group = MemoryGroup(tmp_path / "gone", 2)
    assert not group.overran()
    group.kill()
    group.remove()


def test_no_group_where_there_is_no_control(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in most containers: the resident set is looked at instead."""
    monkeypatch.setattr(memory, "_ROOT", tmp_path / "nothing")
    assert memory.cgroup_version() == 0
    assert memory.make_group(0, 512) is None
    assert memory.make_group(1, 512) is None


def test_a_group_of_which_a_limit_cannot_be_set_is_not_kept(
    version2: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a limit is none."""

    def refuse(self: Path, text: str) -> int:
        raise PermissionError(self)

    monkeypatch.setattr(Path, "write_text", refuse)
    monkeypatch.setattr(Path, "rmdir", lambda self: removed.append(self))
    removed: list[Path] = []
    assert memory.make_group(2, 512) is None
    assert [path.parent for path in removed] == [version2]


@pytest.mark.parametrize(
    ("maker", "age_s", "kept"),
    [
        (2**22 + 1, 120, False),
        (2**22 + 1, 5, True),
        (os.getpid(), 120, True),
    ],
    ids=["of a process that is gone", "new", "of a process that is there"],
)
def test_groups_of_graders_that_were_killed_are_removed(
    version2: Path, monkeypatch: pytest.MonkeyPatch, maker: int, age_s: float, kept: bool
) -> None:
    """When they are old, and their maker is gone: no process has a number beyond the greatest."""
    left = version2 / f"tensor-grader-{maker}-0"
    os.mkdir(left)
    os.utime(left, (0, time.time() - age_s))
    (version2 / "tensor-grader-notes").touch()
    monkeypatch.setattr(MemoryGroup, "remove", lambda self: None)
    assert memory.cgroup_version() == 2
    assert left.exists() is kept


@pytest.mark.skipif(not memory.cgroup_version(), reason="no memory group can be made here")
def test_a_real_group_ends_its_processes() -> None:
    """All of them, and is gone with them."""
    group = memory.make_group(memory.cgroup_version(), 512)
    assert group is not None
    processes = [waiting_process(), waiting_process()]
    for process in processes:
        group.add(process.pid)
    group.kill()
    assert [process.wait() for process in processes] == [-signal.SIGKILL] * 2
    for process in processes:
        process.communicate()
    group.remove()
    assert not group.folder.exists()


def test_the_resident_set_counts_what_is_held() -> None:
    """Of the process, and of those it started."""
    code = (
        "import subprocess, sys; "
        f"inner = subprocess.Popen([sys.executable, '-Sc', {HOLDS_64_MB + '; ' + WAITS!r}], "
        "stdin=0, stdout=1); inner.wait()"
    )
    with waiting_process(code) as outer:
        assert outer.stdout is not None
        assert outer.stdout.readline() == "1\n"
        assert memory.resident_kb(outer.pid) > 64 << 10
        outer.communicate("\n")


def test_a_process_that_is_gone_holds_nothing() -> None:
    """And is no error."""
    with waiting_process() as process:
        process.communicate("\n")
    assert memory.resident_kb(process.pid) == 0


def test_this_process_is_looked_at_through_all_its_threads() -> None:
    """A child started by another thread counts as well."""
    assert memory.resident_kb(os.getpid()) > 10 << 10


def waiting_process(code: str = WAITS) -> subprocess.Popen[str]:
    """An interpreter that ends when it is written to."""
    return subprocess.Popen(
        [sys.executable, "-Sc", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
