"""In the parent: a fork's reply, checked field by field, as the frozen values of `messages`.

Everything here was written by an untrusted process. What does not have the right form raises
FrameError, and the caller takes the reply as malformed.
"""

from __future__ import annotations

from typing import Any, get_args

import torch
from torch import Tensor

from grader.sandbox.frames import FrameError
from grader.sandbox.messages import (
    Answer,
    DictValue,
    EntryProblem,
    FunctionCall,
    LoadOutcome,
    OtherValue,
    PlainValue,
    Raised,
    Ready,
    SequenceValue,
    StepKind,
    TensorValue,
    Traced,
    TraceStep,
    Value,
)
from grader.tensors.wire import WireError, decode

_MAX_DEPTH, _MAX_TENSORS = 8, 512
_ENTRY_KINDS = ("missing", "not_callable", "class", "async", "generator", "signature")


def load_outcome(header: dict[str, Any]) -> LoadOutcome:
    """The reply to "load"."""
    if "raised" in header:
        return raised(header["raised"])
    kind = _text(header.get("entry"))
    if kind == "ready":
        return Ready(keyword=header.get("keyword") is True)
    if kind not in _ENTRY_KINDS:
        raise FrameError("unknown entry kind")
    names = tuple((_text(name), _integer(line)) for name, line in _pairs(header.get("names", [])))
    return EntryProblem(kind, _text(header.get("found", "")), names)  # type: ignore[arg-type]


def call_outcome(header: dict[str, Any], body: bytes, mutated: tuple[str, ...]) -> Answer | Raised:
    """The reply to "call". `mutated` is the parent's own observation."""
    conflict = _text(header.get("conflict", ""))
    line = _optional_integer(header.get("line"))
    if "raised" in header:
        told = raised(header["raised"])
        if conflict:
            return Answer(
                OtherValue("exception", told.message), mutated, None, told, conflict, line
            )
        return told
    tensors = _tensors(header, body)
    gradients = None
    if "gradients" in header:
        gradients = {
            _text(name): None if at is None else _at(tensors, at)
            for name, at in _mapping(header["gradients"]).items()
        }
    backward = raised(header["backward"]) if "backward" in header else None
    value = _value(header.get("value"), tensors, 0)
    return Answer(value, mutated, gradients, backward, conflict, line)


def traced(header: dict[str, Any], body: bytes) -> Traced:
    """The reply to "trace": as many tensors as steps, each made from earlier ones."""
    rows = _list(header.get("trace"))
    tensors = _decoded(body, len(rows)) if rows else []
    if any(tensor.dtype is torch.bool for tensor in tensors):
        raise FrameError("a dtype that is never traced")
    return Traced(
        tuple(_step(number, row, tensors[number]) for number, row in enumerate(rows)),
        _optional_integer(header.get("returned")),
        _optional_integer(header.get("mutated")),
        _integers(header.get("lines", [])),
        tuple(_function_call(row) for row in _list(header.get("calls", []))),
        tuple((_integer(line), _text(name)) for line, name in _pairs(header.get("renumbered", []))),
    )


def _step(number: int, row: Any, tensor: Tensor) -> TraceStep:
    line, what, kind, sources, callers, call, tracks = _row(row, 7)
    made_from = _integers(sources)
    if kind not in get_args(StepKind) or any(source >= number for source in made_from):
        raise FrameError("no step of a trace")
    return TraceStep(
        _integer(line),
        _text(what),
        tensor,
        kind,
        made_from,
        _integers(callers),
        _integer(call),
        tracks is True,
    )


def _function_call(row: Any) -> FunctionCall:
    _, line, plain = _row(row, 3)
    return FunctionCall(_integer(line), tuple(_text(name) for name in _list(plain)))


def raised(packed: Any) -> Raised:
    """An exception as it was described."""
    fields = _mapping(packed)
    lines = tuple((_integer(line), _text(name)) for line, name in _pairs(fields.get("lines", [])))
    return Raised(
        _text(fields.get("type")),
        _text(fields.get("message")),
        lines,
        _text(fields.get("phase", "call")),
        _optional_integer(fields.get("column")),
    )


def _tensors(header: dict[str, Any], body: bytes) -> list[Tensor]:
    """The tensors of the body; how many is what the header refers to, at most."""
    places = [at for at in _places(header.get("value"), 0) if at is not None]
    places += [at for at in _mapping(header.get("gradients", {})).values() if at is not None]
    if not places:
        return []
    return _decoded(body, max(_integer(at) for at in places) + 1)


def _decoded(body: bytes, count: int) -> list[Tensor]:
    if count > _MAX_TENSORS:
        raise FrameError("too many tensors")
    try:
        return decode(body, count)
    except WireError as bad:
        raise FrameError(f"malformed tensors: {bad}") from None


def _places(packed: Any, depth: int) -> list[Any]:
    """Where the value's tensors lie in the body."""
    fields = _mapping(packed)
    if depth > _MAX_DEPTH:
        raise FrameError("too deep")
    kind, inner = fields.get("t"), []
    if kind == "tensor":
        return [fields.get("at")]
    if kind == "sequence":
        inner = _list(fields.get("items"))
    if kind == "dict":
        inner = [value for _, value in _pairs(fields.get("items"))]
    return [at for item in inner for at in _places(item, depth + 1)]


def _value(packed: Any, tensors: list[Tensor], depth: int) -> Value:
    fields = _mapping(packed)
    if depth > _MAX_DEPTH:
        raise FrameError("too deep")
    kind = fields.get("t")
    if kind == "tensor":
        return _tensor(fields, tensors)
    if kind == "plain":
        return PlainValue(_text(fields.get("type")), _text(fields.get("text")))
    if kind == "sequence":
        items = tuple(_value(item, tensors, depth + 1) for item in _list(fields.get("items")))
        return SequenceValue("tuple" if fields.get("type") == "tuple" else "list", items)
    if kind == "dict":
        pairs = _pairs(fields.get("items"))
        return DictValue(tuple((_text(k), _value(v, tensors, depth + 1)) for k, v in pairs))
    if kind == "other":
        return OtherValue(_text(fields.get("type")), _text(fields.get("text", "")))
    raise FrameError("unknown kind of value")


def _tensor(fields: dict[str, Any], tensors: list[Tensor]) -> TensorValue:
    """A claimed tensor: dtype and shape are taken from the bytes where there are bytes."""
    at = fields.get("at")
    device, defect = _text(fields.get("device")), _text(fields.get("defect", ""))
    if at is None:
        shape = tuple(_integer(size) for size in _list(fields.get("shape")))
        return TensorValue(_text(fields.get("dtype")), shape, device, None, defect)
    data = _at(tensors, at)
    dtype = str(data.dtype).removeprefix("torch.")
    return TensorValue(dtype, tuple(data.shape), device, data, defect)


def _at(tensors: list[Tensor], at: Any) -> Tensor:
    index = _integer(at)
    if not 0 <= index < len(tensors):
        raise FrameError("no such tensor")
    return tensors[index]


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FrameError("expected an object")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list) or len(value) > 1000:
        raise FrameError("expected a list")
    return value


def _pairs(value: Any) -> list[tuple[Any, Any]]:
    return [(first, second) for first, second in (_row(pair, 2) for pair in _list(value))]


def _row(value: Any, length: int) -> list[Any]:
    row = _list(value)
    if len(row) != length:
        raise FrameError(f"expected {length} values")
    return row


def _integers(value: Any) -> tuple[int, ...]:
    return tuple(_integer(item) for item in _list(value))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise FrameError("expected a text")
    return value[:4000]


def _integer(value: Any) -> int:
    if type(value) is not int or abs(value) > 1 << 62:
        raise FrameError("expected an integer")
    return value


def _optional_integer(value: Any) -> int | None:
    return None if value is None else _integer(value)
