"""Lines with hanging indents for a terminal of any width; nothing here knows what a report is.

Text is always a `rich.text.Text`, never markup, so that brackets in a learner's text stay brackets.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

_LEAST_BODY = 14
"""A body narrower than this many cells goes below its prefix instead of beside it."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The signs in use, for terminals that have them and for those that do not."""

    right: str
    wrong: str
    skipped: str
    judge: str
    dot: str
    bar: str
    bullet: str
    cut: str


UNICODE = Glyphs("✓", "✗", skipped="–", judge="!", dot=" · ", bar="│", bullet="•", cut="…")  # noqa: RUF001 - an en dash, as printed
ASCII = Glyphs("+", "x", skipped="-", judge="!", dot=", ", bar="|", bullet="*", cut="~")


def glyphs(options: ConsoleOptions) -> Glyphs:
    """The signs that the output's encoding can carry."""
    return ASCII if options.ascii_only else UNICODE


@dataclass(frozen=True, slots=True)
class Hanging:
    """`prefix` then `body`, whose further lines are indented to where it began.

    Where that would leave the body no room, it starts on the next line, indented by four.
    """

    prefix: Text
    body: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width - self.prefix.cell_len
        if width >= min(_LEAST_BODY, self.body.cell_len):
            first, indent = self.prefix, self.prefix.cell_len
        else:
            alone = self.prefix.copy()
            alone.rstrip()
            yield alone
            first, indent = Text(" " * 4), 4
            width = max(options.max_width - indent, 1)
        for line in self.body.wrap(console, width) or [Text()]:
            line.rstrip()
            yield Text.assemble(first, line, no_wrap=True, overflow="ignore")
            first = Text(" " * indent)


@dataclass(frozen=True, slots=True)
class Pointed:
    """`prefix`, one line of text, and below it a caret at its `column` (from 1).

    A text too long for the terminal is not wrapped but shown around the caret.
    """

    prefix: Text
    text: str
    column: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = max(options.max_width - self.prefix.cell_len, 3)
        line, column = _around(self.text, self.column, width, glyphs(options).cut)
        yield Text.assemble(self.prefix, line, no_wrap=True, overflow="ignore")
        indent = " " * (self.prefix.cell_len + Text(line[: column - 1]).cell_len)
        yield Text(f"{indent}^", no_wrap=True, overflow="ignore")


@dataclass(frozen=True, slots=True)
class Command:
    """A shell command: on one line, or on a narrow terminal broken with backslashes at options.

    Where the output is no terminal it is one line, however long, so that it can be copied whole.
    """

    prefix: Text
    words: tuple[str, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width - self.prefix.cell_len
        line = " ".join(self.words)
        lines = [line]
        if options.is_terminal and len(line) > width:
            lines = _broken(self.words, width)
        first = self.prefix
        for text in lines:
            yield Text.assemble(first, (text, "bold"), no_wrap=True, overflow="ignore")
            first = Text(" " * self.prefix.cell_len)


@dataclass(frozen=True, slots=True)
class Trimmed:
    """Without the blanks at line ends with which rich fills tables and paragraphs up.

    They would be copied with the text, and wrap on a terminal that was made narrower.
    """

    renderable: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in Segment.split_lines(console.render(self.renderable, options)):
            yield from _trimmed(line)
            yield Segment.line()


def stacked(blocks: Iterable[list[RenderableType]]) -> list[RenderableType]:
    """The blocks that are not empty, a blank line between them."""
    lines: list[RenderableType] = []
    for block in blocks:
        if block and lines:
            lines.append(Text())
        lines.extend(block)
    return lines


def _trimmed(line: list[Segment]) -> list[Segment]:
    kept = list(line)
    while kept and not kept[-1].control:
        text, style, _ = kept.pop()
        if text.rstrip():
            return [*kept, Segment(text.rstrip(), style)]
    return kept


def _around(text: str, column: int, width: int, cut: str) -> tuple[str, int]:
    """A piece of the text of at most `width` characters around a column, and the column in it.

    One more than the text has is a column too: what is missing is often missing at the end.
    """
    if max(len(text), column) <= width:
        return text, column
    start = min(max(0, column - 1 - 2 * width // 3), max(len(text) + 1 - width, 0))
    piece = text[start : start + width]
    if start > 0:
        piece = cut + piece[1:]
    if start + width < len(text):
        piece = piece[:-1] + cut
    return piece, column - start


def _broken(words: tuple[str, ...], width: int) -> list[str]:
    lines = [words[0]]
    for word in words[1:]:
        # Three cells: the blank before the word, and the blank and backslash after it.
        if len(lines[-1]) + len(word) + 3 <= width:
            lines[-1] += f" {word}"
        else:
            lines[-1] += " \\"
            lines.append(f"  {word}")
    return lines
