"""Inside the fork: which tensors a solution makes, line by line, in one small call.

Two watchers: a torch function mode sees the result of every torch call made from the solution's
file, in the middle of an expression too; the interpreter's own tracing sees what each line binds to
a name, so that `sources = previous`, which calls nothing, is seen as well. Bounded in number and
bytes. What cannot be read (inside a compiled function, say) is passed over in silence.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from grader.tensors.wire import bytes_of

_MAX_RECORDS, _MAX_BYTES, _MAX_LINES, _MOST_ITEMS = 500, 1 << 20, 20_000, 100


@dataclass(slots=True)
class Recording:
    """What was seen, in order: (line, operation or name) and beside it the tensor."""

    steps: list[tuple[int, str]] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)
    bytes_left: int = _MAX_BYTES

    def add(self, line: int, what: str, value: Any) -> None:
        """Keep a copy of a tensor as it is now, or of a list of like tensors as one stack."""
        if len(self.steps) >= _MAX_RECORDS:
            return
        try:
            copy = _copied(_stacked(value) if type(value) in (list, tuple) else value)
        except Exception:  # a tensor that cannot be read here: on its way out, compiled, unlike
            return
        if copy is None or bytes_of(copy) > self.bytes_left:
            return
        self.bytes_left -= bytes_of(copy)
        self.steps.append((line, what[:60]))
        self.tensors.append(copy)


class Trace(TorchFunctionMode):
    """A context in which the solution's calls and bindings are recorded.

    `path` is the solution's file.
    """

    def __init__(self, path: str, inputs: Iterable[Tensor]) -> None:
        """`inputs` are the tensors of the call, which are watched for changes."""
        super().__init__()
        self.path = path
        self.recording = Recording()
        self.returned: int | None = None
        self.mutated: int | None = None
        self._inputs = [(tensor, tensor.detach().clone()) for tensor in inputs]
        self._outermost: FrameType | None = None
        self._lines = 0

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        frame = sys._getframe(1)
        line = _own_line(frame, self.path)
        if line is not None:
            name = getattr(func, "__name__", "") or "call"
            self.recording.add(line, name, result)
        return result

    def __enter__(self) -> Trace:
        super().__enter__()  # type: ignore[no-untyped-call] # untyped in torch
        sys.settrace(self._enter_frame)
        return self

    def __exit__(self, *exception: Any) -> None:
        sys.settrace(None)
        super().__exit__(*exception)  # type: ignore[no-untyped-call] # untyped in torch

    def _enter_frame(self, frame: FrameType, event: str, argument: Any) -> Any:
        """A frame of the solution's file is watched line by line, any other not at all."""
        if frame.f_code.co_filename != self.path:
            return None
        if self._outermost is None:
            self._outermost = frame
        return _FrameWatch(self, frame).on_event

    def look_at_inputs(self, line: int) -> None:
        """Whether the line that has just run changed an input in place."""
        if self.mutated is None and any(not _is_same(now, then) for now, then in self._inputs):
            self.mutated = line

    def note_return(self, frame: FrameType, line: int) -> None:
        """The line by which the whole call returns is that of the first frame entered."""
        if frame is self._outermost:
            self.returned = line

    def spend_line(self) -> bool:
        self._lines += 1
        return self._lines <= _MAX_LINES


class _FrameWatch:
    """One frame: after each line, the names that are bound to something else than before."""

    def __init__(self, trace: Trace, frame: FrameType) -> None:
        self.trace = trace
        self.line = frame.f_lineno
        self.seen = {name: _identity(value) for name, value in frame.f_locals.items()}

    def on_event(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not self.trace.spend_line():
            return None
        with torch._C.DisableTorchFunction():
            for name, value in frame.f_locals.items():
                identity = _identity(value)
                if identity is not None and self.seen.get(name) != identity:
                    self.trace.recording.add(self.line, name, value)
                self.seen[name] = identity
            self.trace.look_at_inputs(self.line)
        if event == "return":
            self.trace.note_return(frame, frame.f_lineno)
        self.line = frame.f_lineno
        return self.on_event


def _identity(value: Any) -> tuple[int, int] | None:
    """Tells a tensor, or a list and its length, from what the name held before."""
    if isinstance(value, Tensor):
        return id(value), 0
    if type(value) in (list, tuple) and value and isinstance(value[0], Tensor):
        return id(value), len(value)
    return None


def _own_line(frame: FrameType | None, path: str) -> int | None:
    """The innermost line of the solution's file that is running."""
    while frame is not None:
        code: CodeType = frame.f_code
        if code.co_filename == path:
            return frame.f_lineno
        frame = frame.f_back
    return None


def _is_same(now: Tensor, then: Tensor) -> bool:
    return now.shape == then.shape and bool(((now == then) | (now != now)).all())


def _stacked(values: list[Any] | tuple[Any, ...]) -> Tensor | None:
    if not values or len(values) > _MOST_ITEMS or not all(isinstance(v, Tensor) for v in values):
        return None
    with torch.no_grad():
        return torch.stack([_unwrapped(value) for value in values])


def _copied(value: Any) -> Tensor | None:
    if not isinstance(value, Tensor) or not value.is_floating_point():
        return None
    plain = _unwrapped(value)
    if plain.layout is not torch.strided or bytes_of(plain) > _MAX_BYTES:
        return None
    with torch.no_grad():
        copy = plain.detach().to("cpu", copy=True)
    copy.untyped_storage().data_ptr()
    return copy


def _unwrapped(value: Tensor) -> Tensor:
    """What lies below the layers that vmap and grad put around a tensor."""
    functorch = torch._C._functorch
    for _ in range(4):
        if not functorch.is_functorch_wrapped_tensor(value):
            break
        value = functorch.get_unwrapped(value)
    return value
