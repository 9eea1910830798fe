"""A clean start: the fork server must come from a process that holds torch and nothing else.

A process cannot forget: its arguments (a seed among them) and environment (tokens of a CI) stay in
its memory. So the program starts itself again with neither. They are parked in a kernel buffer, an
unnamed file that the new process reads only after it has imported torch and forked the server:
one import of torch serves both, and no secret was ever in the server's memory. Restarting costs
about as much as starting Python; a second interpreter for the server would import torch again
(see tests/benchmarks/bench_start.py).
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import TYPE_CHECKING, NoReturn

from grader.sandbox.settings import THREAD_SETTINGS

if TYPE_CHECKING:
    from grader.sandbox.client import Server

_PARKED = "_TENSOR_GRADER_PARKED"
_KEPT_PREFIXES = ("PYTHON", "LC_", "LD_", "DYLD_", "TENSOR_GRADER_")
_KEPT_NAMES = ("PATH", "LANG", "VIRTUAL_ENV", "SYSTEMROOT")


class Start:
    """How this process came to run: its arguments, and the fork server if one was forked early.

    A restarted process forks its server here, before it reads what was parked.
    """

    def __init__(self, argv: list[str] | None) -> None:
        """`argv` None: this is the program itself, and its arguments are the process's."""
        self.argv = sys.argv[1:] if argv is None else argv
        self._early: Server | None = None
        self._may_restart = argv is None and hasattr(os, "memfd_create")
        if argv is None and _PARKED in os.environ:
            self._may_restart = False
            self._early, self.argv = _resume(int(os.environ[_PARKED]))

    def clean(self) -> None:
        """Start again with nothing in memory, unless that was done, or cannot be, or the program
        is part of another. Returns only when it was not."""
        if self._may_restart:
            _restart(self.argv)

    def server(self) -> Server:
        """The server forked early, else one in a fresh interpreter."""
        from grader.sandbox.client import start_fresh

        return self._early if self._early is not None else start_fresh()


def leave(code: int) -> NoReturn:
    """End the process at once: torch's own tear-down takes a third of a second, for nothing."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _restart(argv: list[str]) -> NoReturn:
    """Replace this process by a new one that holds neither `argv` nor the environment."""
    sys.stdout.flush()
    sys.stderr.flush()
    fd = os.memfd_create("arguments", 0)
    with os.fdopen(os.dup(fd), "w", encoding="utf-8", errors="surrogateescape") as file:
        json.dump({"argv": argv, "environment": dict(os.environ)}, file)
        file.flush()
        os.lseek(fd, 0, os.SEEK_SET)
    kept = {name: value for name, value in os.environ.items() if _is_kept(name)}
    command = [sys.executable, *_interpreter_arguments(len(argv))]
    os.execve(sys.executable, command, kept | THREAD_SETTINGS | {_PARKED: str(fd)})


def _resume(parked: int) -> tuple[Server, list[str]]:
    """Before anything else: import torch, fork the server; then read what was parked."""
    from grader.sandbox.client import start_by_fork

    server = start_by_fork()
    with os.fdopen(parked, encoding="utf-8", errors="surrogateescape") as file:
        told = json.load(file)
    os.environ.clear()
    os.environ.update(told["environment"])
    return server, told["argv"]


def _is_kept(name: str) -> bool:
    """What the interpreter itself needs to start and to find its packages."""
    return name in _KEPT_NAMES or name.startswith(_KEPT_PREFIXES)


def _interpreter_arguments(count: int) -> list[str]:
    """How this program was started, without its own `count` arguments."""
    started = sys.orig_argv[1:]
    return started[: len(started) - count] if count else started
