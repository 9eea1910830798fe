"""What is wrong with a spec: one `SpecError` a mistake, all of them in one `ProblemInvalid`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

MAX_SHOWN = 60
"""Longer texts from a spec are cut when they are quoted."""


@dataclass(frozen=True, slots=True)
class SpecError:
    """One mistake and its place; `line` and `column` count from 1. `help` may be empty. Message and
    help are one line each, whatever they quote."""

    file: Path
    line: int
    column: int
    message: str
    help: str = ""

    def __post_init__(self) -> None:
        for name in ("message", "help"):
            object.__setattr__(self, name, " ".join(getattr(self, name).split()))

    def __str__(self) -> str:
        text = f"{self.file}:{self.line}:{self.column}: {self.message}"
        return f"{text}\n  help: {self.help}" if self.help else text


class ProblemInvalid(Exception):  # the state of the problem, not of the program
    """A problem cannot be used. `errors` holds every mistake found, once, in the file's order."""

    def __init__(self, errors: Iterable[SpecError]) -> None:
        found = sorted(
            set(errors), key=lambda e: (str(e.file), e.line, e.column, e.message, e.help)
        )
        self.errors: tuple[SpecError, ...] = tuple(found)
        super().__init__(self.errors)

    def __str__(self) -> str:
        return "\n".join(str(error) for error in self.errors)


def quoted(text: str) -> str:
    """Return the text in double quotes on one line, cut when it is long."""
    line = " ".join(text.split())
    return f'"{line}"' if len(line) <= MAX_SHOWN else f'"{line[:MAX_SHOWN]}..."'
