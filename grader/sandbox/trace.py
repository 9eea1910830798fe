"""Inside the fork: which tensors a solution makes, line by line, in one small call.

Two watchers: a torch function mode sees the result of every torch call made from the solution's
file, in the middle of an expression too; the interpreter's own tracing sees what each line binds to
a name, so that `sources = previous`, which calls nothing, is seen as well. Each record says which
earlier ones its arguments are. Bounded in number and bytes. What cannot be read (inside a compiled
function, say) is passed over in silence.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from grader.tensors.wire import ENCODABLE, bytes_of

_MAX_RECORDS, _MAX_BYTES, _MAX_LINES, _MOST_ITEMS = 500, 1 << 20, 20_000, 100
_MAX_TOLD_LINES = 1000
_COMPREHENSIONS = frozenset({"<listcomp>", "<genexpr>", "<setcomp>", "<dictcomp>"})
_LEAVES_TORCH = frozenset({"numpy", "tolist", "item", "__array__", "__float__", "__int__"})
"""Calls that give what is no tensor: what comes back from there has come from its arguments."""


class Where(NamedTuple):
    """A line of the file, the lines that called its function (innermost first), and a number that
    tells the calls of functions apart."""

    line: int
    callers: tuple[int, ...] = ()
    call: int = 0


@dataclass(slots=True)
class Recording:
    """What was seen, in order: a row for each tensor, as `TraceStep` has it, and the tensor."""

    steps: list[tuple[Any, ...]] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)
    bytes_left: int = _MAX_BYTES
    _made: dict[int, int] = field(default_factory=dict)
    """By id of a tensor, the record that made it; `_alive` keeps ids from being given anew."""
    _storages: dict[int, int] = field(default_factory=dict)
    _bases: dict[int, Tensor] = field(default_factory=dict)
    _alive: list[Any] = field(default_factory=list)
    _left_torch: tuple[int, ...] = ()

    def know_inputs(self, inputs: Iterable[Tensor]) -> None:
        """The call's own tensors are sources too: input n is the number -1 - n."""
        for number, tensor in enumerate(inputs):
            self._note(tensor, -1 - number)

    def add(self, where: Where, what: str, kind: str, value: Any, sources: tuple[int, ...]) -> None:
        """Keep a copy of a tensor as it is now, or of a list of like tensors as one stack."""
        if len(self.steps) >= _MAX_RECORDS:
            return
        try:
            copy = _copied(_stacked(value) if type(value) in _LISTS else value)
        except Exception:  # a tensor that cannot be read here: on its way out, compiled, unlike
            return
        if copy is None or bytes_of(copy) > self.bytes_left:
            return
        self.bytes_left -= bytes_of(copy)
        if not sources and not _is_made_anew(what):
            sources = self._left_torch
        tracks = any(tensor.requires_grad for tensor in _tensors(value))
        number = len(self.steps)
        self.steps.append((where.line, what[:60], kind, sources, where.callers, where.call, tracks))
        self.tensors.append(copy)
        if kind == "call":
            for tensor in _tensors(value):
                self._note(tensor, number)

    def sources(self, value: Any) -> tuple[int, ...]:
        """The records that made the tensors in an argument, or in nested lists of them."""
        found: dict[int, None] = {}
        for tensor in _tensors(value):
            number = self._made.get(id(tensor))
            if number is None:
                number = self._storages.get(_storage_of(tensor))
            if number is not None:
                found[number] = None
        return tuple(found)[:_MOST_ITEMS]

    def base_of(self, tensor: Tensor) -> Tensor | None:
        """The first tensor that was seen on this memory, if it is another one."""
        base = self._bases.get(_storage_of(tensor))
        return None if base is tensor else base

    def leave_torch(self, sources: tuple[int, ...]) -> None:
        """What has no sources from here on may have come by way of Python numbers or NumPy."""
        self._left_torch = sources

    def _note(self, tensor: Tensor, number: int) -> None:
        self._alive.append(tensor)
        self._made[id(tensor)] = number
        storage = _storage_of(tensor)
        if storage:
            self._storages[storage] = number
            self._bases.setdefault(storage, tensor)


class Trace(TorchFunctionMode):
    """A context in which the solution's calls and bindings are recorded.

    `path` is the solution's file, `arguments` are those of the call, by name: its tensors are
    watched for changes, its numbers for other numbers under their names.
    """

    def __init__(self, path: str, arguments: Mapping[str, Any]) -> None:
        super().__init__()
        self.path = path
        self.recording = Recording()
        self.returned: int | None = None
        self.mutated: int | None = None
        self.lines: list[int] = []
        self.calls: list[tuple[int, int, list[str]]] = []
        self.renumbered: list[tuple[int, str]] = []
        tensors = [value for value in arguments.values() if isinstance(value, Tensor)]
        self._inputs = [(tensor, tensor.detach().clone()) for tensor in tensors]
        self._numbers = {n: v for n, v in arguments.items() if not isinstance(v, Tensor)}
        self._outermost: FrameType | None = None
        self._open_calls: list[int] = [0]
        self._spent_lines = 0
        self.recording.know_inputs(tensors)

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        sources = self.recording.sources((args, kwargs))
        result = func(*args, **(kwargs or {}))
        where = self._where(sys._getframe(1))
        if where is not None:
            name = getattr(func, "__name__", "") or "call"
            if name == "__get__":
                name = getattr(getattr(func, "__self__", None), "__name__", name)
            self._record_call(where, name, args, result, sources)
        return result

    def __enter__(self) -> Trace:
        super().__enter__()  # type: ignore[no-untyped-call] # untyped in torch
        sys.settrace(self._enter_frame)
        return self

    def __exit__(self, *exception: Any) -> None:
        sys.settrace(None)
        super().__exit__(*exception)  # type: ignore[no-untyped-call] # untyped in torch

    def note_result(self, result: Any) -> None:
        """What the call returned, under the keys it has there."""
        if isinstance(result, Tensor):
            result = {"": result}
        if type(result) is dict and self.returned is not None:
            for key, value in list(result.items())[:_MOST_ITEMS]:
                if type(key) is str and isinstance(value, Tensor):
                    self._record(Where(self.returned), key, "returned", value)

    def _record_call(
        self, where: Where, name: str, args: tuple[Any, ...], result: Any, sources: tuple[int, ...]
    ) -> None:
        recording = self.recording
        if name == "__setitem__":
            result = args[0]
        if name in _LEAVES_TORCH:
            recording.leave_torch(sources)
            return
        recording.add(where, name, "call", result, () if _is_made_anew(name) else sources)
        changes_in_place = name.endswith("_") and not name.endswith("__")
        if (changes_in_place or name == "__setitem__") and isinstance(result, Tensor):
            base = recording.base_of(result)
            if base is not None:
                recording.add(where, name, "call", base, recording.sources((base, result)))

    def _record(self, where: Where, name: str, kind: str, value: Any) -> None:
        self.recording.add(where, name, kind, value, self.recording.sources(value))

    def _where(self, frame: FrameType | None) -> Where | None:
        """The innermost line of the solution's file that is running, and those that called it."""
        lines = []
        is_comprehension = False
        for each in _frames(frame):
            if each.f_code.co_filename == self.path:
                if not is_comprehension:
                    lines.append(each.f_lineno)
                is_comprehension = each.f_code.co_name in _COMPREHENSIONS
        return Where(lines[0], tuple(lines[1:9]), self._open_calls[-1]) if lines else None

    def _enter_frame(self, frame: FrameType, event: str, argument: Any) -> Any:
        """A frame of the solution's file is watched line by line, any other not at all."""
        if frame.f_code.co_filename != self.path:
            return None
        if self._outermost is None:
            self._outermost = frame
        if frame.f_code.co_name in _COMPREHENSIONS:
            self._open_calls.append(self._open_calls[-1])
        else:
            self._open_calls.append(len(self.calls))
            self._record_arguments(frame)
        return _FrameWatch(self, frame).on_event

    def _record_arguments(self, frame: FrameType) -> None:
        """What a function of the file is given, at the line that calls it."""
        if len(self.calls) >= _MAX_RECORDS:
            return
        code = frame.f_code
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        given = {name: frame.f_locals[name] for name in names if name in frame.f_locals}
        where = self._where(frame.f_back)
        if frame is self._outermost or where is None:
            self.calls.append((0, 0, []))
            for name, value in given.items():  # numbers that were left to their defaults
                if frame is self._outermost and type(value) in (int, float):
                    self._numbers.setdefault(name, value)
            return
        plain = [name for name, value in given.items() if type(value) in _PLAIN]
        self.calls.append((len(self.calls), where.line, plain[:20]))
        where = where._replace(call=self._open_calls[-2])
        with torch._C.DisableTorchFunction():
            for name, value in given.items():
                if _identity(value) is not None:
                    self._record(where, name, "argument", value)
                self.look_at_number(where.line, name, value)

    def look_at_number(self, line: int, name: str, value: Any) -> None:
        """Whether a number that was given to the call is another one under its name."""
        if name not in self._numbers or type(value) not in (int, float):
            return
        if value != self._numbers[name] and len(self.renumbered) < _MOST_ITEMS:
            self.renumbered.append((line, name))

    def look_at_inputs(self, line: int) -> None:
        """Whether the line that has just run changed an input in place."""
        if self.mutated is None and any(not _is_same(now, then) for now, then in self._inputs):
            self.mutated = line

    def note_line(self, line: int) -> None:
        if len(self.lines) < _MAX_TOLD_LINES:
            self.lines.append(line)

    def leave_frame(self, frame: FrameType) -> None:
        """The line by which the whole call returns is that of the first frame entered."""
        if len(self._open_calls) > 1:
            self._open_calls.pop()
        if frame is self._outermost:
            self.returned = frame.f_lineno

    def record_name(self, frame: FrameType, line: int, name: str, value: Any) -> None:
        """A name that a line has bound."""
        where = self._where(frame)
        if where is not None:
            self._record(where._replace(line=line), name, "name", value)

    def spend_line(self) -> bool:
        self._spent_lines += 1
        return self._spent_lines <= _MAX_LINES


class _FrameWatch:
    """One frame: after each line, the names that are bound to something else than before."""

    def __init__(self, trace: Trace, frame: FrameType) -> None:
        self.trace = trace
        self.line = frame.f_lineno
        self.seen = {name: _identity(value) for name, value in frame.f_locals.items()}
        self.numbers = {n: v for n, v in frame.f_locals.items() if type(v) in (int, float)}

    def on_event(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not self.trace.spend_line():
            return None
        with torch._C.DisableTorchFunction():
            for name, value in frame.f_locals.items():
                self._look(frame, name, value)
            self.trace.look_at_inputs(self.line)
        if event == "return":
            self.trace.leave_frame(frame)
        elif event == "line":
            self.trace.note_line(frame.f_lineno)
        self.line = frame.f_lineno
        return self.on_event

    def _look(self, frame: FrameType, name: str, value: Any) -> None:
        if type(value) in (int, float):
            if self.numbers.get(name) != value:
                self.trace.look_at_number(self.line, name, value)
            self.numbers[name] = value
            return
        identity = _identity(value)
        if identity is not None and self.seen.get(name) != identity:
            self.trace.record_name(frame, self.line, name, value)
        self.seen[name] = identity


_LISTS = (list, tuple, deque)
_PLAIN = (int, float, bool, str, tuple)


def _identity(value: Any) -> tuple[int, ...] | None:
    """Tells a tensor, or a list by its items, from what the name held before."""
    if isinstance(value, Tensor):
        return (id(value),)
    if type(value) in _LISTS and 0 < len(value) <= _MOST_ITEMS and isinstance(value[0], Tensor):
        return (id(value), *map(id, value))
    return None


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _is_made_anew(operation: str) -> bool:
    """Takes no more than the shape and the dtype of its argument."""
    return operation.endswith("_like") or operation.startswith("new_")


def _tensors(value: Any, depth: int = 0) -> Iterator[Tensor]:
    """The tensors in an argument or a result, in nested lists of them too."""
    if isinstance(value, Tensor):
        yield value
    elif depth < 4 and isinstance(value, (list, tuple, deque, dict)):
        items = value.values() if isinstance(value, dict) else value
        for item in items:
            yield from _tensors(item, depth + 1)


def _storage_of(tensor: Tensor) -> int:
    """The memory that a tensor lies in; 0 where it has none that could be told."""
    try:
        with torch._C.DisableTorchFunctionSubclass():
            return _unwrapped(tensor).untyped_storage().data_ptr()
    except Exception:  # inside vmap and the like
        return 0


def _is_same(now: Tensor, then: Tensor) -> bool:
    return now.shape == then.shape and bool(((now == then) | (now != now)).all())


def _stacked(values: Any) -> Tensor | None:
    if not values or len(values) > _MOST_ITEMS or not all(isinstance(v, Tensor) for v in values):
        return None
    plain = [_unwrapped(value) for value in values]
    alike = len({value.shape for value in plain}) == 1
    with torch.no_grad():
        return torch.stack(plain) if alike else torch.cat(plain)


def _copied(value: Any) -> Tensor | None:
    if isinstance(value, tuple) and hasattr(value, "n_fields"):  # the values of max, sort, topk
        value = value[0]
    if not isinstance(value, Tensor) or value.dtype not in ENCODABLE - {torch.bool}:
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
