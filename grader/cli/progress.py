"""How far a batch is, on stderr, and only when that is a terminal."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


class _Shown:
    """A bar while it is entered, where there is a terminal for it; gone at the end."""

    def __init__(self, total: int | None, label: str) -> None:
        self._bar = _bar() if _is_wanted() else None
        self._task: TaskID | None = self._bar.add_task(label, total=total) if self._bar else None

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


class Progress(_Shown):
    """A bar that steps aside while results are printed."""

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """While something is printed; counts one solution more."""
        if self._bar is None or self._task is None:
            yield
            return
        self._bar.stop()
        yield
        self._bar.advance(self._task)
        if not self._bar.finished:
            self._bar.start()


class Steps(_Shown):
    """A bar for work of several kinds, each of its own length."""

    def __init__(self, label: str) -> None:
        super().__init__(None, label)
        self._label = label

    def show(self, what: str, done: int, total: int) -> None:
        """What is under way, and how far it is."""
        if self._bar is not None and self._task is not None:
            label = f"{self._label}: {what}"
            self._bar.update(self._task, description=label, completed=done, total=total)


def _is_wanted() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _bar() -> RichProgress:
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    return RichProgress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
