"""The parent's side of the fork server: start one, ask it for forks.

Two ways to start. `start_by_fork` is for a process that holds torch and nothing else yet: one
import in all. `start_fresh` starts a new interpreter, for a process that already holds problems.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import threading
from collections.abc import Collection
from typing import Any

from grader.results import Isolation
from grader.sandbox import memory, scratch
from grader.sandbox.confinement import Mode, is_strict
from grader.sandbox.failure import SandboxUnavailable
from grader.sandbox.line import Handles, Limits, Line
from grader.sandbox.messages import Ended
from grader.sandbox.session import Session
from grader.sandbox.settings import MAX_MESSAGE, THREAD_SETTINGS
from grader.sandbox.view import PACKAGE, package_folders

_START_S = 120.0
_FORK_S = 20.0


class Server:
    """A running fork server. Thread-safe; a context manager that ends it and all its forks."""

    def __init__(self, control: socket.socket, pid: int) -> None:
        self._control = control
        self._pid = pid
        self._lock = threading.Lock()
        self._cgroup = 0
        self._uid: int | None = None
        self.isolation: Isolation = Isolation(False, 0, "rss", "host")

    def settle(
        self,
        mode: Mode = "auto",
        *,
        private: Collection[str] = (),
        without: Collection[str] = (),
        cuda: bool = False,
    ) -> Server:
        """Say what to enforce, once, before the first fork.

        private: folders never to be readable (problems, submissions). without: mechanisms to leave
        out, for tests. Raises SandboxUnavailable when `strict` cannot be held here.
        """
        request = {"mode": mode, "private": list(private), "without": list(without), "cuda": cuda}
        reply = self._told(request)
        self._uid = reply["uid"]
        if mode != "none" and "cgroup" not in without:
            self._cgroup = memory.cgroup_version()
        told = reply["isolation"]
        told |= {"memory": "cgroup" if self._cgroup else "rss", "missing": tuple(told["missing"])}
        self.isolation = Isolation(**told)
        if mode == "strict" and not is_strict(self.isolation):
            self.close()
            raise SandboxUnavailable("neither namespaces nor Landlock can be had on this machine")
        return self

    def open_session(self, *, memory_mb: int, output_kb: int, cpu_s: int) -> Session:
        """A new fork, confined and waiting. Raises SandboxUnavailable when it cannot be made."""
        group = memory.make_group(self._cgroup, memory_mb)
        folder = None if self.isolation.namespaces else scratch.make(self._uid)
        try:
            handles = self._fork({"scratch": folder or "", "cpu_s": cpu_s}, folder, group)
        except OSError as error:
            _discard(folder, group)
            raise SandboxUnavailable(f"the fork server gave no fork: {error}") from None
        line = Line(handles, Limits(memory_mb, output_kb))
        hello = line.exchange({}, -1, _FORK_S, 0)
        if isinstance(hello, Ended):
            line.close()
            told = line.output.text.strip() or hello.detail
            raise SandboxUnavailable(f"a fork could not be confined: {told}")
        return Session(line)

    def _fork(
        self, request: dict[str, Any], folder: str | None, group: memory.MemoryGroup | None
    ) -> Handles:
        """Ask for a fork that is connected to us by a channel, two pipes and a status socket."""
        channel, their_channel = socket.socketpair()
        status, their_status = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        (out, their_out), (err, their_err) = os.pipe(), os.pipe()
        theirs = [their_channel.detach(), their_out, their_err, their_status.detach()]
        with contextlib.ExitStack() as on_failure:
            for close in (channel.close, status.close):
                on_failure.callback(close)
            for fd in (out, err):
                on_failure.callback(os.close, fd)
            pidfd = self._ask(request, theirs, status)
            on_failure.callback(os.close, pidfd)
            pid = _pid_of(pidfd)
            if group is not None:
                group.add(pid)
            on_failure.pop_all()
        return Handles(channel, out, err, status, pidfd, pid, folder, group)

    def _ask(self, request: dict[str, Any], theirs: list[int], status: socket.socket) -> int:
        """Send the request with the fork's ends, which are closed here; the fork's pidfd."""
        try:
            with self._lock:
                socket.send_fds(self._control, [json.dumps(request).encode()], theirs)
        finally:
            for fd in theirs:
                os.close(fd)
        status.settimeout(_FORK_S)
        _, fds, _, _ = socket.recv_fds(status, 256, 1)
        if not fds:
            raise ConnectionError("the server ended")
        return fds[0]

    def _told(self, request: dict[str, Any]) -> dict[str, Any]:
        """The server's reply, once it has started."""
        self._control.settimeout(_START_S)
        try:
            self._control.send(json.dumps(request).encode())
            message = self._control.recv(MAX_MESSAGE)
        except OSError as error:
            raise SandboxUnavailable(f"the fork server does not answer: {error}") from None
        reply = json.loads(message) if message else {"error": "it ended while starting"}
        if "error" in reply:
            raise SandboxUnavailable(f"the fork server failed: {reply['error']}")
        return dict(reply)

    def close(self) -> None:
        """End the server and every fork of it; sessions that are open find themselves ended."""
        with self._lock:
            with contextlib.suppress(OSError):  # a fork of this process may hold it open as well
                self._control.shutdown(socket.SHUT_RDWR)
            self._control.close()
            pid, self._pid = self._pid, 0
        if pid:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def start_by_fork() -> Server:
    """Fork the server off this very process, which must hold torch and nothing secret yet.

    It must also have one thread only, so the settings in THREAD_SETTINGS must have been in force
    before torch was imported.
    """
    _require_linux()
    from grader.sandbox import server

    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.fork()
    if pid == 0:
        ours.close()
        server.run(theirs.detach())
    theirs.close()
    return Server(ours, pid)


def start_fresh() -> Server:
    """Start the server in a new interpreter, with nothing of this process in its memory."""
    _require_linux()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    folders = [*package_folders(), str(PACKAGE.parent)]  # -I leaves out a user's own packages
    code = (
        f"import sys; ours = {folders!r}; sys.path = [p for p in sys.path if p not in ours] + ours;"
        "from grader.sandbox.server import run; run(3)"
    )
    command = [sys.executable, "-I", "-c", code]
    actions = [(os.POSIX_SPAWN_DUP2, theirs.fileno(), 3)]
    pid = os.posix_spawn(sys.executable, command, dict(THREAD_SETTINGS), file_actions=actions)
    theirs.close()
    return Server(ours, pid)


def _require_linux() -> None:
    """Forks that pass descriptors and are watched by pidfd: Linux has them, 5.3 and later."""
    if sys.platform != "linux" or not hasattr(os, "pidfd_open"):
        raise SandboxUnavailable(
            "solutions are run on Linux only; on macOS or Windows use a container or WSL 2"
        )


def _discard(folder: str | None, group: memory.MemoryGroup | None) -> None:
    """Remove what was made for a fork that did not come to be."""
    if folder is not None:
        scratch.remove(folder)
    if group is not None:
        group.remove()


def _pid_of(pidfd: int) -> int:
    """The process's number as this process sees it; 0 when it is gone."""
    with open(f"/proc/self/fdinfo/{pidfd}", encoding="ascii") as file:
        for line in file:
            if line.startswith("Pid:"):
                return max(0, int(line.split()[1]))
    return 0
