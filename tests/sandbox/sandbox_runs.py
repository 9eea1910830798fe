"""Run a few lines as a solution: in a fork of a server, as a grade does, and with its limits."""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from torch import Tensor

from grader.sandbox.client import Server
from grader.sandbox.messages import (
    Answer,
    Argument,
    Call,
    CallOutcome,
    Ended,
    LoadOutcome,
    Output,
    PlainValue,
    Raised,
    Ready,
    TensorValue,
)
from grader.sandbox.session import Session

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs Linux")

MEMORY_MB, OUTPUT_KB, CPU_S = 1024, 64, 30
TIMEOUT_S = 15.0
"""Longer than any answer takes on a busy machine; what is to run out of time gets its own."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a call came to, what was printed in it, and the seconds it took as a whole."""

    outcome: CallOutcome | LoadOutcome
    output: Output
    wall_s: float

    @property
    def answer(self) -> Answer:
        assert isinstance(self.outcome, Answer), self.outcome
        return self.outcome

    @property
    def text(self) -> str:
        """The answer, which is a lone text, number or None."""
        assert isinstance(self.answer.value, PlainValue), self.outcome
        return self.answer.value.text

    @property
    def tensor(self) -> Tensor:
        """The answer, which is a lone tensor."""
        assert isinstance(self.answer.value, TensorValue), self.outcome
        assert self.answer.value.data is not None, self.answer.value.defect
        return self.answer.value.data

    @property
    def raised(self) -> Raised:
        assert isinstance(self.outcome, Raised), self.outcome
        return self.outcome

    @property
    def ended(self) -> Ended:
        assert isinstance(self.outcome, Ended), self.outcome
        return self.outcome


@contextmanager
def opened(
    server: Server, *, memory_mb: int = MEMORY_MB, output_kb: int = OUTPUT_KB, cpu_s: int = CPU_S
) -> Iterator[Session]:
    """A fork with limits that suit a test."""
    with server.open_session(memory_mb=memory_mb, output_kb=output_kb, cpu_s=cpu_s) as session:
        yield session


def load(
    session: Session,
    source: str | bytes,
    required: tuple[str, ...] = (),
    *,
    optional: tuple[str, ...] = (),
    name: str = "solution.py",
    timeout_s: float = TIMEOUT_S,
) -> LoadOutcome:
    """Load the lines, whose entry is `f`."""
    data = source if isinstance(source, bytes) else textwrap.dedent(source).encode()
    return session.load(
        data, name=name, entry="f", required=required, optional=optional, timeout_s=timeout_s
    )


def run(
    server: Server,
    source: str | bytes,
    call: Call | None = None,
    *,
    timeout_s: float = TIMEOUT_S,
    **limits: int,
) -> Run:
    """Load the lines in a fork of their own and call `f` once."""
    call = call if call is not None else Call(())
    started = time.perf_counter()
    with opened(server, **limits) as session:
        outcome: Any = load(session, source, tuple(a.name for a in call.arguments))
        if isinstance(outcome, Ready):
            outcome, _ = session.call(call, keyword=outcome.keyword, timeout_s=timeout_s)
        output = session.output
    return Run(outcome, output, time.perf_counter() - started)


def arguments(**values: Any) -> tuple[Argument, ...]:
    """Arguments of a call, in order."""
    return tuple(Argument(name, value) for name, value in values.items())
