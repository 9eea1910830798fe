"""A problem's statement on a terminal: Markdown, with $math$ turned to readable Unicode.

Inline `$...$` and display `$$...$$` are parsed by the Markdown parser itself, so that code spans
and code blocks keep their dollars, and a subscript is never taken for emphasis.
"""

from __future__ import annotations

from functools import cache
from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement, TextElement
from rich.padding import Padding
from rich.syntax import Syntax
from rich.text import Text

from grader.report.tex import to_unicode

_INDENT = (0, 0, 0, 4)
_UNDERLINE = {"h1": "═", "h2": "─"}


def render_statement(markdown: str) -> RenderableType:
    """The statement, for any width of terminal."""
    return _Statement(markdown)


def with_math(text: str) -> str:
    """A plain text, its $math$ turned into Unicode; all else stays as it is."""
    (inline,) = _math_parser().parseInline(text)
    return "".join(token.content for token in inline.children or ())


class _Heading(Heading):
    """At the left, the two highest levels underlined, so that they show without colour too."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.text
        line = _UNDERLINE.get(self.tag, "")
        if line:
            width = min(self.text.cell_len, options.max_width)
            yield Text(("-" if options.ascii_only else line) * width, style="dim")


class _CodeBlock(CodeBlock):
    """Indented, on the terminal's own background."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        code = str(self.text).rstrip()
        yield Padding(
            Syntax(
                code,
                self.lexer_name,
                theme="ansi_dark",
                background_color="default",
                word_wrap=True,
            ),
            _INDENT,
        )


class _DisplayMath(TextElement):
    """A formula on lines of its own."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Padding(Text(self.text.plain), _INDENT)


class _Statement(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Heading,
        "fence": _CodeBlock,
        "code_block": _CodeBlock,
        "math_block": _DisplayMath,
    }

    def __init__(self, markup: str) -> None:
        super().__init__("", hyperlinks=False)
        self.markup = markup
        self.parsed = _parser().parse(markup)


def _parser() -> MarkdownIt:
    parser = MarkdownIt().enable("strikethrough").enable("table")
    parser.inline.ruler.before("escape", "math_inline", _inline_math)
    parser.block.ruler.before(
        "fence", "math_block", _display_math, {"alt": ["paragraph", "blockquote", "list"]}
    )
    return parser


@cache
def _math_parser() -> MarkdownIt:
    """Knows no Markdown, only math."""
    parser = MarkdownIt("zero")
    parser.inline.ruler.push("math_inline", _inline_math)
    return parser


def _inline_math(state: StateInline, silent: bool) -> bool:
    """`$x$`: no blank inside the dollars, no digit after them, so that prices stay prices."""
    source, start = state.src, state.pos
    if source[start] != "$":
        return False
    dollars = "$$" if source.startswith("$$", start) else "$"
    begin = start + len(dollars)
    end = _closing(source, dollars, begin, state.posMax)
    if end < 0:
        return False
    if not silent:
        state.push("text", "", 0).content = to_unicode(source[begin:end]).replace("\n", "; ")
    state.pos = end + len(dollars)
    return True


def _closing(source: str, dollars: str, begin: int, limit: int) -> int:
    """Where the formula that begins at `begin` ends; -1 when it is none."""
    end = source.find(dollars, begin, limit)
    while end > 0 and source[end - 1] == "\\":
        end = source.find(dollars, end + 1, limit)
    after = source[end + len(dollars) : end + len(dollars) + 1]
    if end <= begin or source[begin].isspace() or source[end - 1].isspace() or after.isdigit():
        return -1
    return end


def _display_math(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    """Lines from one that begins with `$$` to one that ends with `$$`."""
    text = _line(state, first)
    if not text.startswith("$$") or state.is_code_block(first):
        return False
    body, line = [text[2:]], first
    while not body[-1].rstrip().endswith("$$"):
        line += 1
        if line >= last:
            return False
        body.append(_line(state, line))
    if not silent:
        token = state.push("math_block", "", 0)
        token.content = to_unicode("\n".join(body).strip().removesuffix("$$"))
        token.map = [first, line + 1]
    state.line = line + 1
    return True


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]
