"""What this machine really enforces: a small hostile file is run in the sandbox and tells what it
could do. Tried, not guessed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from grader.results import Isolation
from grader.sandbox.client import start_fresh
from grader.sandbox.confinement import Mode
from grader.sandbox.failure import SandboxUnavailable
from grader.sandbox.messages import Answer, Argument, Call, DictValue, Ended, PlainValue, Ready
from grader.sandbox.session import Session

_HOSTILE = Path(__file__).with_name("probe_solution.py")
_NAMES = {
    "secret": "files of others cannot be read",
    "write": "nothing can be written outside its own folder",
    "environment": "the caller's environment is gone",
    "socket": "no network",
    "unix_socket": "no local sockets",
    "fork": "no further processes",
    "signal": "other processes cannot be signalled",
    "trace": "other processes cannot be traced",
    "memory_file": "no memory beside what is watched",
}


@dataclass(frozen=True, slots=True)
class Probe:
    """One thing tried: whether it was held (None: it could not be tried), and what was seen."""

    name: str
    held: bool | None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Probed:
    """What is in force here and what was tried."""

    isolation: Isolation
    checks: tuple[Probe, ...]


def probe(mode: Mode = "auto", *, without: Collection[str] = ()) -> Probed:
    """Start a server as for a grade, run the probe in it. Raises SandboxUnavailable."""
    with tempfile.TemporaryDirectory() as folder:
        secret = Path(folder, "secret.txt")
        secret.write_text("secret")
        with start_fresh().settle(mode, private=[folder], without=without) as server:
            with server.open_session(memory_mb=1024, output_kb=64, cpu_s=20) as session:
                checks = _try(session, str(secret))
            with server.open_session(memory_mb=1024, output_kb=64, cpu_s=20) as session:
                checks += _try_limits(session)
            return Probed(server.isolation, checks)


def _try(session: Session, secret: str) -> tuple[Probe, ...]:
    source = _HOSTILE.read_bytes() + f"\nSECRET = {secret!r}\nPARENT = {os.getpid()}\n".encode()
    answer = _call(session, source, "attempt", ())
    if not isinstance(answer, Answer) or not isinstance(answer.value, DictValue):
        raise SandboxUnavailable(f"the probe did not answer: {answer}")
    told = {name: v.text for name, v in answer.value.items if isinstance(v, PlainValue)}
    return tuple(
        Probe(words, not told[name].startswith("open"), told[name].partition(": ")[2])
        for name, words in _NAMES.items()
        if name in told
    )


def _try_limits(session: Session) -> tuple[Probe, ...]:
    """The clock and the memory limit, which end the fork."""
    answer = _call(session, _HOSTILE.read_bytes(), "hoard", ())
    if isinstance(answer, Ended):
        held, seen = answer.reason == "memory", answer.detail
    else:
        held, seen = False, "it went on"
    return (Probe("memory is limited", held, seen),)


def _call(session: Session, source: bytes, entry: str, arguments: tuple[Argument, ...]) -> object:
    ready = session.load(
        source, name="probe.py", entry=entry, required=(), optional=(), timeout_s=20.0
    )
    if not isinstance(ready, Ready):
        return ready
    return session.call(Call(arguments), keyword=False, timeout_s=20.0)[0]
