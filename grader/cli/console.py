"""Standard output and error as the commands use them: results to one, all the rest to the other."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import TYPE_CHECKING

from grader.cli.errors import CliError

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


def prepare_streams() -> None:
    """Let no character that the terminal cannot show end the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def out() -> Console:
    """Where results go. NO_COLOR, FORCE_COLOR and COLUMNS are honoured by rich."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


def show(console: Console, renderable: RenderableType) -> None:
    """Print, without blanks at line ends. A line that must stay whole runs past the edge."""
    from grader.report.layout import Trimmed

    console.print(Trimmed(renderable), crop=False)


def is_utf8(encoding: str | None) -> bool:
    return (encoding or "").lower().replace("-", "").replace("_", "").startswith("utf")


def warn(message: str) -> None:
    """One line to stderr."""
    print(f"warning: {message}", file=sys.stderr)


def fail(error: CliError) -> None:
    """The message and its help, to stderr."""
    print(f"error: {error.message}", file=sys.stderr)
    if error.help:
        print("\n".join(f"  help: {line}" for line in error.help.splitlines()), file=sys.stderr)


def silence_stdout() -> None:
    """After a broken pipe: nobody reads on, so that the flush at exit must not complain."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
