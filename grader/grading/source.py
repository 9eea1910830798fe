"""The lines of a solution's file, read as text.

They are never parsed: a file that the parent parses is a file that can hurt it. Line numbers come
from the solution's process, and the text may be anything, so a number out of range has no text, and
of a long line, or of very many lines, only the start is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_LOOKED_AT, _MOST_LINES = 400, 5000
_LINES_OF_A_RETURN = 40
_LOOP = re.compile(r"(async\s+)?(for|while)\b")
_WITHOUT_GRADIENTS = re.compile(r"with\b.*(no_grad|inference_mode|set_grad_enabled)")


@dataclass(frozen=True, slots=True)
class Source:
    """The lines, the first of which has the number 1."""

    lines: Sequence[str] = ()

    @classmethod
    def of(cls, source: bytes) -> Source:
        """The lines of a file as it was submitted."""
        return cls(source.decode("utf-8-sig", errors="replace").split("\n"))

    def text(self, line: int) -> str:
        """The start of a line; nothing where there is none."""
        return self.lines[line - 1][:_LOOKED_AT] if 0 < line <= len(self.lines) else ""

    def has_word(self, line: int, word: str) -> bool:
        return re.search(rf"\b{re.escape(word)}\b", self.text(line)) is not None

    def has_attribute(self, line: int, name: str) -> bool:
        return re.search(rf"\.{re.escape(name)}\b", self.text(line)) is not None

    def loop_around(self, line: int) -> int | None:
        """The header of the innermost loop that a line stands in, by its indentation."""
        return self._header(line, _LOOP)

    def without_gradients(self, line: int) -> int | None:
        """The `with torch.no_grad():` that a line stands in."""
        return self._header(line, _WITHOUT_GRADIENTS)

    def binding(self, name: str, up_to: int) -> int | None:
        """The last line, not after `up_to`, that binds a name."""
        binds = re.compile(rf"\s*{re.escape(name)}\s*(:[^=]*)?=[^=]")
        return next((n for n in self._up_from(up_to) if binds.match(self.text(n))), None)

    def making(self, name: str, operation: str) -> int | None:
        """The line that makes a layer for an attribute or a name, with arguments, when its class is
        called as the operation is: `self.norm = nn.LayerNorm(width)` for layer_norm."""
        makes = re.compile(rf"\s*(self\.)?{re.escape(name)}\s*(:[^=]*)?=\s*(\w+\.)*(\w+)\([^)]")
        wanted = operation.replace("_", "")
        for number in range(1, min(len(self.lines), _MOST_LINES) + 1):
            found = makes.match(self.text(number))
            if found and found[4].lower() == wanted:
                return number
        return None

    def naming(self, name: str, returned: int | None) -> int | None:
        """The line that gives something the name of an output, in a dict, by index or as a keyword:
        in the statement that returned, else the last before it; else the last that quotes it."""
        quoted = rf"""(["']){re.escape(name)}\1"""
        gives = re.compile(rf"""{quoted}\s*(:|\]\s*=[^=]|,)|\b{re.escape(name)}\s*=[^=]""")
        start = returned if returned is not None and 0 < returned <= len(self.lines) else None
        if start is not None:
            within = self._first(gives, self._statement(start))
            before = within or self._first(gives, self._up_from(start - 1))
            if before is not None:
                return before
        every = self._up_from(len(self.lines))
        return self._first(gives, every) or self._first(re.compile(quoted), every)

    def _up_from(self, line: int) -> range:
        """The lines from one on, upwards, as far as there are any and it makes sense to look."""
        last = min(line, len(self.lines))
        return range(last, max(last - _MOST_LINES, 0), -1)

    def _first(self, pattern: re.Pattern[str], numbers: Iterable[int]) -> int | None:
        return next((n for n in numbers if pattern.search(self.text(n)) and self._is_code(n)), None)

    def _is_code(self, line: int) -> bool:
        return not self.text(line).lstrip().startswith("#")

    def _statement(self, line: int) -> range:
        """The lines of the statement that begins at a line, as long as its brackets are open."""
        depth = 0
        for number in range(line, min(line + _LINES_OF_A_RETURN, len(self.lines) + 1)):
            text = self.text(number)
            depth += sum(text.count(sign) for sign in "([{") - sum(text.count(s) for s in ")]}")
            if depth <= 0:
                return range(line, number + 1)
        return range(line, line + 1)

    def _header(self, line: int, pattern: re.Pattern[str]) -> int | None:
        """The innermost header of this kind above a line, in the same function."""
        indent = _indent(self.text(line))
        for number in self._up_from(line - 1):
            text = self.text(number)
            if not text.strip() or _indent(text) >= indent:
                continue
            indent = _indent(text)
            if pattern.match(text.strip()):
                return number
            if not indent or text.lstrip().startswith(("def ", "class ")):
                return None
        return None


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
