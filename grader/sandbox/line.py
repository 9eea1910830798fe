"""The line between parent and fork: one request, then waiting for reply, output, death and clock
at once. Ends the fork when any limit is passed; knows nothing of what is asked."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import time
from dataclasses import dataclass
from typing import Any

from grader.sandbox import frames, scratch
from grader.sandbox.failure import SandboxUnavailable
from grader.sandbox.memory import MemoryGroup, resident_kb
from grader.sandbox.messages import Ended, Output

_LOOK_S = 0.02
"""How often the resident set is looked at, where no cgroup holds it."""
_STATUS_S = 1.0
_GONE_S = 2.0
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one fork: memory of all its processes, and what one step may print."""

    memory_mb: int
    output_kb: int


@dataclass(frozen=True, slots=True)
class Handles:
    """The parent's ends of what connects it to a fork; `scratch` is a folder to remove, if any."""

    channel: socket.socket
    out: int
    err: int
    status: socket.socket
    pidfd: int
    pid: int
    scratch: str | None
    group: MemoryGroup | None


class Line:
    """The connection to one fork. After an `Ended` every exchange gives the same `Ended`."""

    def __init__(self, handles: Handles, limits: Limits) -> None:
        self._handles = handles
        self._limits = limits
        self._ended: Ended | None = None
        self._received = bytearray()
        self._printed = bytearray()
        self._printed_bytes = 0
        self.output = Output("", cut=False)
        handles.channel.setblocking(False)
        self._poll = select.poll()
        for fd in (handles.out, handles.err):
            os.set_blocking(fd, False)
            self._poll.register(fd, select.POLLIN)
        self._poll.register(handles.channel, select.POLLIN)
        self._poll.register(handles.pidfd, select.POLLIN)

    def exchange(
        self, header: dict[str, Any], fd: int, timeout_s: float, max_body: int
    ) -> tuple[dict[str, Any], bytes] | Ended:
        """Send a request (with a file descriptor, if not negative); the reply, or how it ended."""
        if self._ended is not None:
            return self._ended
        self._printed.clear()
        self._printed_bytes = 0
        deadline = time.monotonic() + timeout_s
        try:
            if header:
                self._send(header, fd)
            reply = self._wait(deadline, timeout_s, max_body)
        except (frames.FrameError, OSError):
            reply = self.end(
                self._cause_of_death("malformed", "it wrote into the grader's channel")
            )
        self._drain()
        text = self._printed.decode("utf-8", errors="replace")
        self.output = Output(text, cut=self._printed_bytes > len(self._printed))
        return reply

    def end(self, reason: Ended) -> Ended:
        """Kill the fork; the first reason given is the one that stands."""
        if self._ended is None:
            self._ended = reason
            self._kill()
        return self._ended

    def close(self) -> None:
        """End the fork and all it started, wait until it is gone, and clean up."""
        self.end(Ended("lost", "closed"))
        handles = self._handles
        gone = select.poll()
        gone.register(handles.pidfd, select.POLLIN)
        gone.poll(_GONE_S * 1000)
        for fd in (handles.out, handles.err, handles.pidfd):
            os.close(fd)
        handles.channel.close()
        handles.status.close()
        if handles.group is not None:
            handles.group.remove()
        if handles.scratch is not None:
            scratch.remove(handles.scratch)

    def _kill(self) -> None:
        """The fork, with which its pid namespace goes. Without one, what it started is killed as
        the members of its memory group, and of its process group (by the server)."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handles.pidfd, signal.SIGKILL)
        if self._handles.group is not None and self._handles.scratch is not None:
            self._handles.group.kill()

    def _send(self, header: dict[str, Any], fd: int) -> None:
        """The channel must be silent before a request: what lies there was not asked for."""
        with contextlib.suppress(BlockingIOError):
            if self._handles.channel.recv(1, socket.MSG_PEEK):
                raise frames.FrameError("unasked bytes")
        data = frames.pack(header)
        if socket.send_fds(self._handles.channel, [data], [fd]) != len(data):
            raise frames.FrameError("the fork does not read")

    def _wait(
        self, deadline: float, timeout_s: float, max_body: int
    ) -> tuple[dict[str, Any], bytes] | Ended:
        while True:
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                return self.end(Ended("time", f"no answer within {timeout_s:g} s"))
            wait_s = left_s if self._handles.group is not None else min(left_s, _LOOK_S)
            ready = {fd for fd, _ in self._poll.poll(max(1, wait_s * 1000))}
            over = self._take_output(ready) or self._look_at_memory()
            if over is not None:
                return self.end(over)
            if self._handles.channel.fileno() in ready:
                reply = self._take_reply(max_body)
                if reply is not None:
                    return reply
            elif self._handles.pidfd in ready:
                return self.end(self._cause_of_death("lost", "it ended"))

    def _take_output(self, ready: set[int]) -> Ended | None:
        for fd in (self._handles.out, self._handles.err):
            if fd in ready:
                self._read_output(fd)
        if self._printed_bytes > self._limits.output_kb << 10:
            return Ended("output", f"it printed more than {self._limits.output_kb} KB")
        return None

    def _read_output(self, fd: int) -> bool:
        """Read once; whether there may be more."""
        try:
            data = os.read(fd, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            with contextlib.suppress(KeyError):
                self._poll.unregister(fd)
            return False
        self._printed_bytes += len(data)
        room = (self._limits.output_kb << 10) - len(self._printed)
        self._printed += data[: max(0, room)]
        return True

    def _drain(self) -> None:
        """What was printed before the reply is in the pipes by now."""
        for fd in (self._handles.out, self._handles.err):
            while self._printed_bytes <= self._limits.output_kb << 10 and self._read_output(fd):
                pass

    def _look_at_memory(self) -> Ended | None:
        if self._handles.group is not None:
            return None
        if resident_kb(self._handles.pid) > self._limits.memory_mb << 10:
            return self._memory_ended()
        return None

    def _memory_ended(self) -> Ended:
        return Ended("memory", f"it used more than {self._limits.memory_mb} MB of memory")

    def _take_reply(self, max_body: int) -> tuple[dict[str, Any], bytes] | Ended | None:
        """Read what is there; the reply once it is whole, None until then."""
        data = self._handles.channel.recv(1 << 20)
        if not data:
            return self.end(self._cause_of_death("lost", "it closed its channel to the grader"))
        self._received += data
        if len(self._received) < frames.HEADER_BYTES:
            return None
        json_length, body_length = frames.parse_lengths(
            bytes(self._received[: frames.HEADER_BYTES]), max_body
        )
        whole = frames.HEADER_BYTES + json_length + body_length
        if len(self._received) < whole:
            return None
        if len(self._received) > whole:
            raise frames.FrameError("more than one reply")
        middle = frames.HEADER_BYTES + json_length
        header = frames.parse_header(bytes(self._received[frames.HEADER_BYTES : middle]))
        body = bytes(self._received[middle:])
        self._received.clear()
        return header, body

    def _cause_of_death(self, otherwise: Any, detail: str) -> Ended:
        """How the fork died, as the server saw it; `otherwise` when it still lives."""
        told = self._told_by_server()
        if self._handles.group is not None and self._handles.group.overran():
            return self._memory_ended()
        if told is None:
            return Ended(otherwise, detail)
        if told["status"] == -signal.SIGKILL and told["cpu_used_up"]:
            return Ended("time", "it used up its processor time")
        return Ended("died", _death_in_words(told["status"]))

    def _told_by_server(self) -> dict[str, Any] | None:
        """How the server saw it end; None when that does not come, for the fork lives.

        Raises SandboxUnavailable when the server itself is gone: no solution can do that.
        """
        self._handles.status.settimeout(_STATUS_S)
        try:
            message = self._handles.status.recv(256)
        except OSError:
            return None
        if not message:
            raise SandboxUnavailable("the fork server ended")
        return dict(json.loads(message))


def _death_in_words(status: int) -> str:
    if status >= 0:
        return f"it ended its process (exit code {status})"
    if -status == signal.SIGSYS:
        return "it sent a fatal signal to its own process"
    name = signal.Signals(-status).name if -status in set(signal.Signals) else f"signal {-status}"
    words = {"SIGSEGV": "segmentation fault", "SIGABRT": "abort", "SIGBUS": "bus error",
             "SIGFPE": "arithmetic error", "SIGILL": "illegal instruction"}  # fmt: skip
    return f"its process crashed ({words.get(name, 'killed')}, {name})"
