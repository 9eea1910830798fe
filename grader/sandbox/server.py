"""The fork server: a process that holds torch, warmed, and nothing else; forks on request.

It never sees a problem, a seed, a reference or a solution: those go from the parent straight to
the fork, through a channel that the parent makes for each.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import select
import signal
import socket
import sys
from dataclasses import dataclass
from typing import Any

from grader.sandbox import child, frames, scratch
from grader.sandbox.confinement import Plan, confine, describe, make_plan
from grader.sandbox.kernel import namespaces
from grader.sandbox.settings import MAX_MESSAGE, THREAD_SETTINGS
from grader.sandbox.warmup import warm_up

_CHANNEL_FDS = 4
_CPU_COUNTED_S = 0.5
"""The kernel counts in ticks when it holds the limit, and exactly when it tells what was used."""


def run(control_fd: int) -> None:
    """Serve until the parent closes the control socket, then end with all that was forked."""
    control = socket.socket(fileno=control_fd)
    _cut_off(control_fd)
    warm_up()
    try:
        message = control.recv(MAX_MESSAGE)
        if message:
            server = _Server(control, _settle(control, json.loads(message)))
            server.serve()
    except BaseException as error:  # the parent must hear of it
        with contextlib.suppress(OSError):
            control.send(json.dumps({"error": f"{type(error).__name__}: {error}"}).encode())
    os._exit(0)


def _settle(control: socket.socket, request: dict[str, Any]) -> tuple[Plan, int | None]:
    """Carry out the server's own part of the plan and say what is in force."""
    plan = make_plan(request["mode"], request["private"], request["without"], cuda=request["cuda"])
    own_pid_space = None
    if plan.namespaces:
        own_pid_space = namespaces.enter()
        namespaces.build_root(plan.readable, plan.devices, plan.private)

    gc.freeze()
    isolation = describe(plan, "rss")
    reply = {"isolation": {name: getattr(isolation, name) for name in isolation.__slots__}}
    control.send(json.dumps(reply | {"uid": plan.uid}).encode())
    return plan, own_pid_space


@dataclass(frozen=True, slots=True)
class _Fork:
    """A fork: whom to tell of its end, its processor time, and its folder if it has one on disk."""

    pid: int
    teller: socket.socket
    cpu_s: int
    scratch: str


class _Server:
    """The loop: fork on request, reap, tell the parent how each fork ended."""

    def __init__(self, control: socket.socket, settled: tuple[Plan, int | None]) -> None:
        self.control = control
        self.plan, self.own_pid_space = settled
        self.poll = select.poll()
        self.poll.register(control, select.POLLIN)
        self.children: dict[int, _Fork] = {}

    def serve(self) -> None:
        while True:
            for fd, _ in self.poll.poll():
                if fd != self.control.fileno():
                    self._reap(fd)
                elif not self._take_request():
                    self._end_all()
                    return

    def _take_request(self) -> bool:
        message, fds, _, _ = socket.recv_fds(self.control, MAX_MESSAGE, _CHANNEL_FDS)
        if not message:
            return False
        channel, out, err, status = fds
        request = json.loads(message)
        pid = self._fork()
        if pid == 0:
            self._become_child(request, channel, out, err)
        for fd in (channel, out, err):
            os.close(fd)
        pidfd = os.pidfd_open(pid)
        teller = socket.socket(fileno=status)
        socket.send_fds(teller, [b"{}"], [pidfd])
        self.children[pidfd] = _Fork(pid, teller, request["cpu_s"], request["scratch"])
        self.poll.register(pidfd, select.POLLIN)
        return True

    def _fork(self) -> int:
        if self.own_pid_space is None:
            return os.fork()
        return namespaces.fork_apart(self.own_pid_space)

    def _become_child(self, request: dict[str, Any], channel: int, out: int, err: int) -> None:
        """In the fork: keep four descriptors, give up all powers, load and answer."""
        code = 97
        try:
            os.setsid()
            for source, target in ((out, 1), (err, 2), (channel, 3)):
                os.dup2(source, target)
            os.closerange(4, 1 << 16)
            folder = confine(self.plan, request["scratch"], request["cpu_s"])
            _set_environment(folder)
            _open_streams()
            channel_socket = socket.socket(fileno=3)
            frames.send(channel_socket, {"hello": True})
            child.serve(channel_socket, folder)
            code = 0
        except BaseException as error:
            with contextlib.suppress(BaseException):  # its text may be a solution's code
                os.write(2, f"sandbox: {type(error).__name__}: {error}\n".encode(errors="replace"))
        finally:
            os._exit(code)

    def _reap(self, pidfd: int) -> None:
        fork = self.children.pop(pidfd)
        self.poll.unregister(pidfd)
        os.close(pidfd)
        if not self.plan.namespaces:  # dead but not reaped, so the number is still its group's
            with contextlib.suppress(OSError):
                os.killpg(fork.pid, signal.SIGKILL)
        _, status, used = os.wait4(fork.pid, 0)
        told = {
            "status": os.waitstatus_to_exitcode(status),
            "cpu_used_up": used.ru_utime + used.ru_stime > fork.cpu_s - _CPU_COUNTED_S,
        }
        with contextlib.suppress(OSError), fork.teller:
            fork.teller.send(json.dumps(told).encode())

    def _end_all(self) -> None:
        """The parent may have been killed: its folders for the forks are removed here too."""
        for pidfd, fork in self.children.items():
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
                os.waitpid(fork.pid, 0)
            if fork.scratch:
                scratch.remove(fork.scratch)


def _cut_off(control_fd: int) -> None:
    """Drop what was inherited: descriptors, environment, signal handlers, standard streams."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.closerange(3, control_fd)
    os.closerange(control_fd + 1, 1 << 16)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    os.setsid()
    _set_environment("/")


def _set_environment(folder: str) -> None:
    """The whole environment of a solution. Nothing of the caller's is in it."""
    os.environ.clear()
    os.environ.update(
        THREAD_SETTINGS,
        HOME=folder,
        TMPDIR=folder,
        USER="learner",
        LOGNAME="learner",
        PATH="/usr/bin:/bin",
        LANG="C.UTF-8",
        CUDA_MODULE_LOADING="LAZY",
        CUBLAS_WORKSPACE_CONFIG=":4096:8",
    )
    import tempfile

    tempfile.tempdir = None
    os.chdir(folder)


def _open_streams() -> None:
    """Text streams on the captured descriptors: UTF-8 whatever the caller's locale, by the line."""
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  lives as long as we do
    for name, fd in (("stdout", 1), ("stderr", 2)):
        raw = open(fd, "wb", closefd=False)  # noqa: SIM115  likewise
        stream = io.TextIOWrapper(raw, "utf-8", errors="backslashreplace", line_buffering=True)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


if __name__ == "__main__":
    run(int(sys.argv[1]))
