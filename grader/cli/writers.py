"""Where reports go: the terminal, one JSON document, files. Each takes reports one at a time."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from grader.cli.console import is_utf8, show
from grader.report.json_report import JsonStream

if TYPE_CHECKING:
    from rich.console import Console

    from grader.results import Report


class Writer(Protocol):
    """Takes each report as it comes, as its audience may see it."""

    def add(self, report: Report) -> None: ...


@dataclass(frozen=True, slots=True)
class WholeReports:
    """The terminal, for one solution."""

    console: Console
    command: str
    options: tuple[str, ...]
    verbose: bool

    def add(self, report: Report) -> None:
        from grader.report.terminal import render

        show(
            self.console,
            render(report, verbose=self.verbose, command=self.command, options=self.options),
        )


@dataclass(frozen=True, slots=True)
class BatchLines:
    """The terminal, for many solutions: a line each."""

    console: Console

    def add(self, report: Report) -> None:
        from grader.report.batch import render_batch_line

        show(self.console, render_batch_line(report))


def json_to_stdout(*, several: bool) -> JsonStream:
    """One document on stdout, in ASCII where stdout is not UTF-8."""
    return JsonStream(sys.stdout, several=several, ascii_only=not is_utf8(sys.stdout.encoding))


@contextmanager
def json_to_file(path: Path, *, several: bool) -> Iterator[Writer]:
    """One document in a file, which takes its place whole, or not at all when interrupted."""
    with (
        _replacing(path) as draft,
        draft.open("w", encoding="utf-8", newline="\n") as stream,
        JsonStream(stream, several=several) as document,
    ):
        yield document


def text_to_file(path: Path, text: str) -> None:
    """A whole text in a file, or what was there before."""
    with _replacing(path) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """A draft beside `path`, moved onto it at the end unless an exception came."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
        draft.chmod(0o666 & ~_umask())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _umask() -> int:
    """The process's umask; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
