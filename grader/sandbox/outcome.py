"""Inside the fork: what a solution returned or raised, as plain JSON plus a list of tensors.

Only exact types are read, through their class's own methods, so that an object that pretends is
reported as what it is. Depth, number and bytes are bounded.
"""

from __future__ import annotations

from types import CodeType, FrameType
from typing import Any

import torch
from torch import Tensor

from grader.tensors.wire import ENCODABLE, bytes_of, is_backed

_MAX_DEPTH, _MAX_ITEMS, _MAX_TEXT = 6, 64, 2000
_MAX_FRAMES = 20
_FIRST = slice(0, _MAX_ITEMS)
_SYNTAX_ERRORS = (SyntaxError, IndentationError, TabError)
_TRACEBACK: Any = BaseException.__dict__["__traceback__"]

Packed = dict[str, Any]


def pack_value(value: Any, tensors: list[Tensor], max_bytes: int) -> Packed:
    """The value as a tree; its tensors are appended to `tensors` and named by position."""
    return _Packer(tensors, max_bytes).pack(value, 0)


class _Packer:
    """Packs one value, and counts what it has packed."""

    def __init__(self, tensors: list[Tensor], max_bytes: int) -> None:
        self.tensors = tensors
        self.bytes_left = max_bytes
        self.items_left = _MAX_ITEMS

    def pack(self, value: Any, depth: int) -> Packed:
        kind = type(value)
        self.items_left -= 1
        if depth > _MAX_DEPTH or self.items_left < 0:
            return {"t": "other", "type": _type_name(kind), "text": "too large or too deep to read"}
        if kind is Tensor:
            return self._tensor(value)
        if value is None or kind in (bool, int, float, str):
            return {"t": "plain", "type": kind.__name__, "text": _plain_text(value)}
        for base in (tuple, list):
            if issubclass(kind, base):
                items = [self.pack(item, depth + 1) for item in base.__getitem__(value, _FIRST)]
                return {"t": "sequence", "type": base.__name__, "items": items}
        if issubclass(kind, dict) and all(type(key) is str for key in dict.keys(value)):
            return self._dict(value, depth)
        return {"t": "other", "type": _type_name(kind), "text": _shape_text(value)}

    def _dict(self, value: dict[str, Any], depth: int) -> Packed:
        items = []
        for key, item in dict.items(value):
            if self.items_left <= 0:
                return {"t": "other", "type": "dict", "text": f"{dict.__len__(value)} keys"}
            items.append([key[:_MAX_TEXT], self.pack(item, depth + 1)])
        return {"t": "dict", "items": items}

    def _tensor(self, value: Tensor) -> Packed:
        packed: Packed = {
            "t": "tensor",
            "dtype": str(value.dtype).removeprefix("torch."),
            "shape": list(value.shape),
            "device": value.device.type,
            "at": None,
            "defect": self._defect(value),
        }
        if not packed["defect"] and value.device.type != "meta":
            packed["at"] = len(self.tensors)
            self.tensors.append(value)
            self.bytes_left -= bytes_of(value)
        return packed

    def _defect(self, value: Tensor) -> str:
        if value.layout is not torch.strided:
            return f"is not dense ({str(value.layout).removeprefix('torch.')})"
        if value.dtype not in ENCODABLE:
            return f"has dtype {str(value.dtype).removeprefix('torch.')}"
        if value.device.type != "meta" and not is_backed(value):
            return "has a storage smaller than its shape"
        if bytes_of(value) > self.bytes_left:
            return f"takes {bytes_of(value) >> 20} MB, more than can be returned"
        return ""


def describe_exception(error: BaseException, path: str, phase: str) -> Packed:
    """Type, text and the lines of the solution's own file; its causes are not followed."""
    described: Packed = {
        "type": _type_name(type(error)),
        "message": _text_of(error),
        "lines": _own_lines(error, path),
        "phase": phase,
        "column": None,
    }
    if type(error) in _SYNTAX_ERRORS and type(error.lineno) is int:  # type: ignore[attr-defined]
        described |= _place_of(error)  # type: ignore[arg-type]
    return described


def _place_of(error: SyntaxError) -> Packed:
    """The parser's own account: it has no frame in the file."""
    return {
        "lines": [[error.lineno, "<module>"]],
        "column": error.offset if type(error.offset) is int else None,
        "message": _text_of(error.msg),
    }


def _text_of(value: object) -> str:
    """Its own text, cut; asking for it may itself run the solution's code, raise, or give a text
    of a type of its own."""
    try:
        return str.__getitem__(str(value), slice(_MAX_TEXT))
    except BaseException as second:
        return f"(its text cannot be read: {_type_name(type(second))})"


def _own_lines(error: BaseException, path: str) -> list[tuple[int, str]]:
    lines: list[tuple[int, str]] = []
    traceback = _TRACEBACK.__get__(error)
    while traceback is not None:
        if _is_own(traceback.tb_frame, path):
            lines.append((traceback.tb_lineno, traceback.tb_frame.f_code.co_name[:100]))
            if len(lines) > _MAX_FRAMES:
                del lines[_MAX_FRAMES // 2]
        traceback = traceback.tb_next
    return lines


def _is_own(frame: FrameType, path: str) -> bool:
    code: CodeType = frame.f_code
    return code.co_filename == path


def _plain_text(value: Any) -> str:
    if type(value) is int and value.bit_length() > 256:
        return "a very large integer"
    return (value if type(value) is str else repr(value))[:_MAX_TEXT]


def _type_name(kind: type) -> str:
    """`numpy.ndarray`, `dict`: from the type's own record, which a metaclass cannot answer for."""
    name = type.__dict__["__name__"].__get__(kind)
    module = type.__dict__["__module__"].__get__(kind)
    known = isinstance(module, str) and module not in ("builtins", "solution", "__main__")
    return f"{module}.{name}"[:200] if known else str(name)[:200]


def _shape_text(value: Any) -> str:
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and all(type(size) is int for size in shape[:8]):
        return f"shape ({', '.join(map(str, shape[:8]))})"
    return ""
