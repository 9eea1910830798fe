"""YAML text to plain data, with the place of every node: the YAML 1.2 core schema, and no more.

PyYAML by itself reads `1e-5` as a text and `on` as true, lets a second `a:` replace the first, and
follows anchors, tags and aliases. Here a plain scalar means what YAML 1.2 says; keys are texts,
each once; anchors, aliases and tags are refused. Only PyYAML's parser is used (libyaml where it is
built in), as a stream of events, so nesting costs no stack. No bytes raise anything: mistakes are
returned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from grader.problem.errors import SpecError, quoted

MAX_BYTES = 2**20
MAX_DEPTH = 32
MAX_DIGITS = 40
"""Of a whole number: far more than any size needs, far fewer than Python refuses to read."""

KeyPath = tuple[str | int, ...]
"""Where a node is: keys and indices from the root, `("cases", 3, "dims", "batch")`."""

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NUMBER_STARTS = frozenset("-+.0123456789")
_WORDS: Mapping[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}


@dataclass(slots=True)
class Node:
    """The place of one value; `text` is a scalar as it was written, `key` the place of its key."""

    line: int
    column: int
    children: dict[str, Node] | list[Node] | None = None
    text: str = ""
    key: tuple[int, int] | None = None

    def child(self, part: str | int) -> Node | None:
        """Return the value under a key or index, or None."""
        if isinstance(self.children, dict):
            return self.children.get(part) if isinstance(part, str) else None
        if isinstance(self.children, list) and isinstance(part, int):
            return self.children[part] if 0 <= part < len(self.children) else None
        return None


@dataclass(frozen=True, slots=True)
class Document:
    """One YAML file. `data` is None when it is not YAML; `errors` may also be milder."""

    file: Path
    data: object
    root: Node
    errors: tuple[SpecError, ...] = ()

    def has(self, path: Sequence[str | int]) -> bool:
        """Whether the file says something at exactly this path."""
        return len(self.resolve(path)) == len(path)

    def resolve(self, path: Sequence[str | int]) -> KeyPath:
        """Return the parts of a path that exist, leaving out those that do not."""
        node, found = self.root, []
        for part in path:
            child = node.child(part)
            if child is not None:
                node = child
                found.append(part)
        return tuple(found)

    def node(self, path: Sequence[str | int]) -> Node:
        """Return the node at a path, or the nearest that encloses it."""
        node = self.root
        for part in path:
            node = node.child(part) or node
        return node

    def keys(self, *path: str | int) -> tuple[str, ...]:
        """Return the keys of the mapping at a path; none when there is no mapping."""
        children = self.node(path).children if self.has(path) else None
        return tuple(children) if isinstance(children, dict) else ()

    def error(self, path: Sequence[str | int], message: str, help: str = "") -> SpecError:
        """Return a mistake at the value of a path."""
        node = self.node(path)
        return SpecError(self.file, node.line, node.column, message, help)

    def key_error(self, path: Sequence[str | int], message: str, help: str = "") -> SpecError:
        """Return a mistake at the key of a path."""
        node = self.node(path)
        line, column = node.key or (node.line, node.column)
        return SpecError(self.file, line, column, message, help)


def read(raw: bytes, file: Path, *, until: frozenset[str] = frozenset()) -> Document:
    """Read the bytes of a file. With `until`, stop as soon as all these top-level keys are read."""
    builder = _Builder(until)
    try:
        builder.build(_decode(raw))
        if builder.data is None:
            raise _Refused(1, 1, "the file is empty")
    except _Refused as refused:
        builder.errors.append(refused)
        builder.data = None
    errors = tuple(SpecError(file, e.line, e.column, e.message, e.help) for e in builder.errors)
    return Document(file, builder.data, builder.root or Node(1, 1), errors)


class _Refused(Exception):  # carries a mistake of the file out of the parsing
    def __init__(self, line: int, column: int, message: str, help: str = "") -> None:
        super().__init__(message)
        self.line, self.column, self.message, self.help = line, column, message, help


def _decode(raw: bytes) -> str:
    if len(raw) > MAX_BYTES:
        raise _Refused(1, 1, f"the file has {len(raw)} bytes, more than {MAX_BYTES}")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # `error.object` is without the byte order mark, as `error.start` counts.
        before = error.object[: error.start].decode("utf-8")
        message = f"byte 0x{error.object[error.start]:02x} is not UTF-8"
        raise _Refused(*_place(before), message, "save the file as UTF-8") from None
    if odd := _UNPRINTABLE.search(text):
        message = f"character U+{ord(odd[0]):04X} is not allowed in YAML"
        raise _Refused(*_place(text[: odd.start()]), message, "remove it")
    return text


def _place(before: str) -> tuple[int, int]:
    """Return line and column of what follows this text."""
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _events(text: str) -> Iterator[Any]:
    """Yield PyYAML's parsing events; what it refuses is raised as _Refused."""
    try:
        yield from yaml.parse(text, Loader=Loader)
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(error, text) from None
    except (yaml.YAMLError, ValueError, OverflowError):
        # Not reached with libyaml; the Python parser lets chr() fail on "\UFFFFFFFF".
        raise _Refused(1, 1, "the file has a character that YAML does not allow") from None


def _syntax_error(error: yaml.MarkedYAMLError, text: str) -> _Refused:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    message = f"not valid YAML: {error.problem or error.context}"
    if error.context and error.problem and error.context_mark:
        message += f" {error.context} that begins on line {error.context_mark.line + 1}"
    lines = text.splitlines()
    at_tab = line <= len(lines) and lines[line - 1][column - 1 : column] == "\t"
    return _Refused(line, column, message, "indent with spaces, not with tabs" if at_tab else "")


@dataclass(slots=True)
class _Frame:
    """A mapping or sequence that is being read. `key` is set between a key and its value."""

    data: dict[str, object] | list[object]
    node: Node
    key: str | None = None
    key_place: tuple[int, int] = (1, 1)


@dataclass(slots=True)
class _Builder:
    """Builds data and nodes side by side from a stream of events."""

    until: frozenset[str]
    data: object = None
    root: Node | None = None
    errors: list[_Refused] = field(default_factory=list)
    stack: list[_Frame] = field(default_factory=list)

    def build(self, text: str) -> None:
        for event in _events(text):
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._refuse_extras(event)
                self._scalar(event)
            elif kind is yaml.MappingStartEvent:
                self._open(event, {}, {})
            elif kind is yaml.SequenceStartEvent:
                self._open(event, [], [])
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self.stack.pop()
            elif kind is yaml.AliasEvent:
                raise _refuse(event, f"alias *{event.anchor} is not allowed", "write the value out")
            elif kind is yaml.DocumentStartEvent and self.root is not None:
                raise _refuse(event, "a second document begins here", "keep one document a file")
            if self.until and self._has_all():
                return

    def _has_all(self) -> bool:
        return (
            len(self.stack) == 1
            and self.stack[0].key is None
            and self.until <= set(self.stack[0].data)
        )

    def _refuse_extras(self, event: Any) -> None:
        if event.anchor is not None:
            help = "share settings between cases under `defaults`"
            raise _refuse(event, f"anchor &{event.anchor} is not allowed", help)
        if event.tag is not None:
            raise _refuse(event, f"tag {quoted(event.tag)} is not allowed", "write the plain value")

    def _scalar(self, event: Any) -> None:
        mark, text = event.start_mark, event.value
        value = text
        if event.implicit[0] and (text in _WORDS or text[0] in _NUMBER_STARTS):
            value = _plain(text, event)
        self._add(value, Node(mark.line + 1, mark.column + 1, None, text))

    def _open(
        self,
        event: Any,
        data: dict[str, object] | list[object],
        children: dict[str, Node] | list[Node],
    ) -> None:
        self._refuse_extras(event)
        if len(self.stack) >= MAX_DEPTH:
            raise _refuse(event, f"nested deeper than {MAX_DEPTH} levels")
        node = Node(event.start_mark.line + 1, event.start_mark.column + 1, children)
        self._add(data, node)
        self.stack.append(_Frame(data, node))

    def _add(self, value: object, node: Node) -> None:
        """Put a value where it belongs: the root, the end of a list, a key, or under a key."""
        if not self.stack:
            self.data, self.root = value, node
            return
        frame = self.stack[-1]
        if isinstance(frame.data, list):
            frame.data.append(value)
            frame.node.children.append(node)  # type: ignore[union-attr]  # made together in _open
        elif frame.key is None:
            self._take_key(frame, value, node)
        else:
            self._take_value(frame, frame.key, value, node)

    def _take_key(self, frame: _Frame, value: object, node: Node) -> None:
        if not isinstance(value, str):
            shown = quoted(node.text) if node.children is None else "that is a list or a mapping"
            help = "put it in quotes" if node.children is None else ""
            raise _Refused(node.line, node.column, f"key {shown} is not a text", help)
        frame.key, frame.key_place = value, (node.line, node.column)

    def _take_value(self, frame: _Frame, key: str, value: object, node: Node) -> None:
        frame.key = None
        first = frame.node.child(key)
        if first is not None and first.key is not None:
            message = f"key {quoted(key)} is given twice, first on line {first.key[0]}"
            self.errors.append(_Refused(*frame.key_place, message, "keep one of the two"))
            return
        node.key = frame.key_place
        frame.data[key] = value  # type: ignore[call-overload]  # a list never has a key
        frame.node.children[key] = node  # type: ignore[index,call-overload]  # likewise


def _plain(text: str, event: Any) -> object:
    """Return what a plain scalar means in the YAML 1.2 core schema."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        if len(text) > MAX_DIGITS:
            raise _refuse(event, f"this number has more than {MAX_DIGITS} digits")
        return int(text, 0 if text[:2] in ("0o", "0x") else 10)
    return float(text) if _FLOAT.fullmatch(text) else text


def _refuse(event: Any, message: str, help: str = "") -> _Refused:
    return _Refused(event.start_mark.line + 1, event.start_mark.column + 1, message, help)
