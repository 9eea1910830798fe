"""A Python text, changed a few bytes at a time: where a node lies in it, and what replaces it.

All else stays as it is, byte for byte, so that a change reads as a diff of one line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

ATOMS = (
    *(ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.Constant),
    *(ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp),
)
"""What needs no brackets wherever it stands."""


@dataclass(frozen=True, slots=True)
class Patch:
    """The bytes from `start` to `end` become `text`."""

    start: int
    end: int
    text: bytes


@dataclass(frozen=True, slots=True)
class Change:
    """Patches that are made together. `safe`: the same with brackets around what is put in, which
    are left out where they make no difference."""

    operator: str
    patches: tuple[Patch, ...]
    safe: tuple[Patch, ...] = ()


class Text:
    """A source with its syntax tree. Raises SyntaxError."""

    def __init__(self, source: str) -> None:
        self.raw = source.encode()
        self.tree = ast.parse(source)  # not the bytes, which may declare another encoding
        ends = re.finditer(rb"\r\n?|\n", self.raw)  # no other bytes end a line for `ast`
        self._starts = [0, *(end.end() for end in ends)]

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where the node begins and ends, as offsets; brackets around it are not its own."""
        start = self._starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = self._starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return start, end

    def of(self, node: ast.AST) -> bytes:
        """The text of the node."""
        start, end = self.span(node)
        return self.raw[start:end]

    def atom(self, node: ast.AST) -> bytes:
        """The text of the node, in brackets unless it needs none."""
        text = self.of(node)
        is_atom = isinstance(node, ATOMS) and not _is_bare_number(node)
        return text if is_atom else b"(" + text + b")"

    def put(self, operator: str, node: ast.AST, text: bytes | str) -> Change:
        """This text in the place of the node."""
        start, end = self.span(node)
        text = text.encode() if isinstance(text, str) else text
        bracketed = (Patch(start, end, b"(" + text + b")"),)
        safe = bracketed if isinstance(node, ast.expr) else ()
        return Change(operator, (Patch(start, end, text),), safe)

    def swap(self, operator: str, one: ast.AST, other: ast.AST) -> Change:
        """Each of the two in the place of the other."""
        pairs = ((one, other), (other, one))
        plain = tuple(Patch(*self.span(place), self.of(node)) for place, node in pairs)
        safe = tuple(Patch(*self.span(place), self.atom(node)) for place, node in pairs)
        return Change(operator, plain, safe)

    def drop_each(self, operator: str, spans: Sequence[tuple[int, int]]) -> Iterator[Change]:
        """Of a comma-separated list each item left out, one at a time, with its comma."""
        for index, (start, end) in enumerate(spans):
            if index:
                start = spans[index - 1][1]
            elif len(spans) > 1:
                end = spans[1][0]
            yield Change(operator, (Patch(start, end, b""),))

    def token(
        self, operator: str, before: ast.AST, after: ast.AST, old: str, new: str
    ) -> Change | None:
        """The sign between two nodes exchanged; `old` is a regular expression."""
        start, end = self.span(before)[1], self.span(after)[0]
        pattern = re.compile(rb"#[^\r\n]*|(" + old.encode() + b")")
        for found in pattern.finditer(self.raw, start, end):
            if found[1] is not None:
                patch = Patch(*found.span(1), new.encode())
                return Change(operator, (patch,))
        return None

    def apply(self, change: Change) -> str | None:
        """The source after the change; None when it is no Python any more."""
        plain, safe = self._patched(change.patches), self._patched(change.safe)
        tree = _parsed(plain)
        if change.safe:
            intended = _parsed(safe)
            if intended is not None and (tree is None or ast.dump(tree) != ast.dump(intended)):
                return safe
        return None if tree is None else plain

    def _patched(self, patches: tuple[Patch, ...]) -> str:
        raw = self.raw
        for patch in sorted(patches, key=lambda patch: patch.start, reverse=True):
            raw = raw[: patch.start] + patch.text + raw[patch.end :]
        return raw.decode()


def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        return None


def _is_bare_number(node: ast.AST) -> bool:
    """`1.abs()` is no Python."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)
