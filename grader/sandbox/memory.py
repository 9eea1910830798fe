"""Memory of a fork and all it started, held from outside: by a cgroup, else by looking.

A cgroup (version 1 or 2) counts everything, the pages of memory files too, and the kernel ends
the group at the limit. Without one the resident sets of the fork's processes are added up every
few milliseconds.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")
_PREFIX = "tensor-grader-"
_PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024
_ROUNDS, _PAUSE_S = 100, 0.005
_STALE_S = 60
_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class MemoryGroup:
    """One control group; `version` 1 or 2."""

    folder: Path
    version: int

    def add(self, pid: int) -> None:
        (self.folder / "cgroup.procs").write_text(str(pid))

    def overran(self) -> bool:
        """Whether the kernel ended a process of the group for its memory."""
        name = "memory.oom_control" if self.version == 1 else "memory.events"
        with contextlib.suppress(OSError):
            for line in (self.folder / name).read_text().splitlines():
                if line.startswith("oom_kill "):
                    return int(line.split()[1]) > 0
        return False

    def kill(self) -> None:
        """Kill every process of the group, and those they start meanwhile; bounded."""
        for _ in range(_ROUNDS):
            try:
                found = (self.folder / "cgroup.procs").read_text().split()
            except OSError:
                return
            for pid in found:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
            if not found:
                return
            time.sleep(_PAUSE_S)

    def remove(self) -> None:
        """Remove the group; one whose last process is just ending is busy for a moment more."""
        for _ in range(_ROUNDS):
            try:
                self.folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(_PAUSE_S)
            else:
                return


def cgroup_version() -> int:
    """1 or 2: the kind of memory group this process may make; 0: none."""
    for version in (1, 2):
        group = _make(version, 64 << 20)
        if group is not None:
            group.remove()
            _remove_stale(group.folder.parent)
            return version
    return 0


def _remove_stale(parent: Path) -> None:
    """Groups that a killed grader left: old, their maker gone, and (else rmdir refuses) empty."""
    for folder in parent.glob(f"{_PREFIX}*"):
        maker = folder.name.removeprefix(_PREFIX).partition("-")[0]
        with contextlib.suppress(OSError):
            old = time.time() - folder.stat().st_mtime > _STALE_S
            if old and not Path("/proc", maker).exists():
                folder.rmdir()


def make_group(version: int, limit_mb: int) -> MemoryGroup | None:
    """A new group with this limit, swap included; None where it cannot be made."""
    return _make(version, limit_mb << 20) if version else None


def _make(version: int, limit: int) -> MemoryGroup | None:
    parent = _ROOT / "memory" if version == 1 else _ROOT
    if version == 2 and not (parent / "cgroup.controllers").exists():
        return None
    folder = parent / f"{_PREFIX}{os.getpid()}-{next(_numbers)}"
    limits = (
        {"memory.limit_in_bytes": limit, "memory.memsw.limit_in_bytes": limit}
        if version == 1
        else {"memory.max": limit, "memory.swap.max": 0, "memory.oom.group": 1}
    )
    optional = {"memory.memsw.limit_in_bytes", "memory.swap.max", "memory.oom.group"}
    try:
        folder.mkdir()
        for name, value in limits.items():
            if name not in optional or (folder / name).exists():
                (folder / name).write_text(str(value))
    except OSError:
        with contextlib.suppress(OSError):
            folder.rmdir()
        return None
    return MemoryGroup(folder, version)


def resident_kb(pid: int) -> int:
    """The resident sets of a process and of all that descend from it, in KB; 0 when it is gone."""
    return sum(_own_resident_kb(each) for each in _family(pid))


def _family(pid: int) -> list[int]:
    family, queue = [], [pid]
    while queue:
        current = queue.pop()
        family.append(current)
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{current}/task"):
                text = Path(f"/proc/{current}/task/{task}/children").read_text()
                queue.extend(int(child) for child in text.split())
    return family


def _own_resident_kb(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * _PAGE_KB
    except (OSError, ValueError, IndexError):
        return 0
