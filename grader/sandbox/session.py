"""One solution in one fork, seen from the parent: load it, call it, end it, within its limits.

Whatever goes wrong in the fork (death, silence, a flood, a reply that is not one) becomes an
`Ended`, and the fork is killed; nothing it does raises here.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any, TypeVar

from grader.sandbox import frames, unpack
from grader.sandbox.layout import changed_inputs, lay_out
from grader.sandbox.line import Line
from grader.sandbox.messages import Call, CallOutcome, Ended, LoadOutcome, Output, Traced

_MAX_RETURN_MB = 64
"""What a solution may return in one call; the parent holds a few times as much meanwhile."""
_MALFORMED = Ended("malformed", "its answer to the grader was not readable")

T = TypeVar("T")


class Session:
    """A fork that holds one solution. Use as a context manager; after an `Ended` it is over.

    `output` is what the solution printed in the last step.
    """

    def __init__(self, line: Line) -> None:
        self._line = line
        self._number = 0

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()

    @property
    def output(self) -> Output:
        return self._line.output

    def load(
        self,
        source: bytes,
        *,
        name: str,
        entry: str,
        required: tuple[str, ...],
        optional: tuple[str, ...],
        timeout_s: float,
    ) -> LoadOutcome:
        """Import the file whose bytes these are, and look its entry up.

        `required` and `optional` are the parameter names that the entry must take, in order.
        """
        header: dict[str, Any] = {"op": "load", "name": name, "entry": entry}
        header |= {"required": list(required), "optional": list(optional)}
        reply = self._ask(header, source, timeout_s)
        if isinstance(reply, Ended):
            return reply
        return self._read(lambda: unpack.load_outcome(reply[0]))

    def call(self, call: Call, *, keyword: bool, timeout_s: float) -> tuple[CallOutcome, float]:
        """Make one call; its outcome and the seconds of wall clock until the answer was here."""
        header, data = lay_out(call)
        header |= {"op": "call", "keyword": keyword, "max_bytes": _MAX_RETURN_MB << 20}
        fd = frames.shared_file(data)
        started = time.perf_counter()
        try:
            reply = self._ask(header, fd, timeout_s)
            duration_s = time.perf_counter() - started
            if isinstance(reply, Ended):
                return reply, duration_s
            fields, body = reply
            mutated = changed_inputs(header, data, fd)
            return self._read(lambda: unpack.call_outcome(fields, body, mutated)), duration_s
        finally:
            os.close(fd)

    def trace(self, call: Call, *, keyword: bool, timeout_s: float) -> Traced | Ended:
        """Make the call once more, recording the tensors that each line of the file makes."""
        header, data = lay_out(call)
        header |= {"op": "trace", "keyword": keyword}
        reply = self._ask(header, data, timeout_s)
        if isinstance(reply, Ended):
            return reply
        return self._read(lambda: unpack.traced(*reply))

    def _ask(
        self, header: dict[str, Any], payload: bytes | int, timeout_s: float
    ) -> tuple[dict[str, Any], bytes] | Ended:
        """One request, its payload in a shared file, and the reply that carries its number."""
        self._number += 1
        request = header | {"id": self._number}
        fd = frames.shared_file(payload) if isinstance(payload, bytes) else payload
        try:
            reply = self._line.exchange(request, fd, timeout_s, (_MAX_RETURN_MB + 1) << 20)
        finally:
            if isinstance(payload, bytes):
                os.close(fd)
        if isinstance(reply, Ended):
            return reply
        return reply if reply[0].get("id") == self._number else self._line.end(_MALFORMED)

    def _read(self, read: Callable[[], T]) -> T | Ended:
        """Read an untrusted reply; any failure is the reply's, and ends the fork."""
        try:
            return read()
        except Exception:  # written by an untrusted process: anything can be wrong
            return self._line.end(_MALFORMED)
