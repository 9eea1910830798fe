"""Lines as they are laid out."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

from grader.report.layout import Trimmed


def shown(renderable: RenderableType, *, color: bool = False) -> str:
    """What a terminal of 20 columns is sent, to the last blank."""
    stream = StringIO()
    console = Console(
        file=stream, width=20, force_terminal=True, color_system="standard" if color else None
    )
    console.print(Trimmed(renderable), crop=False)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("renderable", "text"),
    [
        (Text("a"), "a\n"),
        (Text("a   "), "a\n"),
        (Text("a\n \n b \n"), "a\n\n b\n\n"),
        (Text(), "\n"),
        (Padding(Text("a"), (0, 4, 0, 4)), "    a\n"),
        (Markdown("several words that wrap"), "several words that\nwrap\n"),
        (Text("x" * 30, no_wrap=True, overflow="ignore"), "x" * 30 + "\n"),
    ],
)
def test_no_line_ends_in_blanks(renderable: RenderableType, text: str) -> None:
    """Nothing else changes: not what is in front, not empty lines, not a line that runs over."""
    assert shown(renderable) == text


def test_blanks_go_in_whatever_style_they_are() -> None:
    """Also when they are parts of their own."""
    text = Text.assemble(("a", "bold"), ("  ", "red"), ("", "blue"), " ")
    assert shown(text, color=True) == "\x1b[1ma\x1b[0m\n"
