"""The program as a process of its own: run it, and look at what runs below it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
CLI = (sys.executable, str(ROOT / "cli.py"))
TIMEOUT_S = 120.0


def run_cli(
    *words: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`python cli.py WORDS...`; `env` is added to the environment, `cwd` is the working folder."""
    return subprocess.run(
        [*CLI, *map(str, words)],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "80", "NO_COLOR": "1", **(env or {})},
        capture_output=True,
        encoding="utf-8",
        timeout=TIMEOUT_S,
        check=False,
    )


def descendants(pid: int) -> list[tuple[int, int]]:
    """The processes below `pid`, each with its depth: 1 for a child."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            parents.setdefault(_parent_of(entry), []).append(int(entry.name))
    found, level, depth = [], [pid], 0
    while level:
        depth += 1
        level = [child for parent in level for child in parents.get(parent, ())]
        found += [(child, depth) for child in level]
    return found


def is_alive(pid: int) -> bool:
    """Whether a process of this number runs; a zombie does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def wait_until(condition: Callable[[], bool], timeout_s: float = 30.0) -> bool:
    """Look until it holds, or the time is over; whether it came to hold."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _parent_of(entry: Path) -> int:
    try:
        status = (entry / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    return int(status.rpartition(")")[2].split()[1])
