"""From PATHs to solution files, and from a file to its problem.

A file is never parsed here: a hostile one could exhaust the parser, and with it this process. Names
defined at the left margin are found by pattern, which is enough to tell what a file means to solve.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.cli.errors import CliError
from grader.problem.names import closest
from grader.report.text import one_line

MAX_SOURCE_BYTES = 1_000_000
MAX_NAMES = 500
ALIKE = 0.8
"""How near a function's name must be to a problem's. It decides what a file is graded as, so more
is asked than for a "did you mean"."""

_DEFINED = re.compile(
    rb"^(?:(?:async[ \t]+)?def|class)[ \t]+([^\W\d]\w{0,99})\b"
    rb"|^([^\W\d]\w{0,99})[ \t]*(?::[^=\n]{1,200})?=(?!=)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Selection:
    """The files to grade, in order, and what was passed over. `several`: asked for as many."""

    files: tuple[Path, ...]
    several: bool
    passed_over: tuple[str, ...] = ()


class UngradableError(CliError):
    """This file cannot be graded; the others of a batch can."""


def select(paths: Sequence[str]) -> Selection:
    """The `.py` files meant by PATHs: files, and the direct files of folders, each once."""
    files: list[Path] = []
    passed_over: list[str] = []
    for text in paths:
        path = Path(text)
        if path.is_dir():
            found, notebooks = _in_folder(path)
            files.extend(found)
            passed_over.extend(f"{book}: notebooks are not supported yet" for book in notebooks)
        else:
            files.append(_file(path))
    unique: dict[Path, Path] = {}
    for path in files:
        unique.setdefault(path.resolve(), path)
    several = len(paths) > 1 or Path(paths[0]).is_dir()
    return Selection(tuple(unique.values()), several, tuple(passed_over))


def require_folder_of(path: Path) -> None:
    """A report that could not be written is said before the grading, not after it."""
    if path.is_dir():
        raise CliError(f"{path} is a folder, not a file to write a report to")
    if not os.access(path.parent, os.W_OK):
        reason = "cannot be written to" if path.parent.is_dir() else "does not exist"
        raise CliError(f"{path}: the folder {path.parent} {reason}")


def find_problem(path: Path, entries: Mapping[str, str]) -> str:
    """The id of the problem that a file solves. `entries`: problem id -> the function it asks for.

    By a known function that it defines, else by the file's name, else by a function whose name is
    close to a known one (the grade then says so). Raises `UngradableError`.
    """
    source = read(path)
    names = defined_names(source)
    matches = [problem for problem, entry in entries.items() if entry in names]
    strange = names.difference(entries.values())
    stem = path.stem
    if stem in matches or (stem in entries and _is_near(entries[stem], strange)):
        return stem
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UngradableError(
            f"{_shown(path)} defines the functions of {len(matches)} problems: "
            f"{', '.join(sorted(matches))}",
            help=f"say which one is meant: --problem {sorted(matches)[0]}",
        )
    if stem in entries:
        return stem
    return _nearest_problem(path, strange, entries)


def read(path: Path) -> bytes:
    """The file's bytes; empty when it cannot be read, which the grader then says in its verdict."""
    try:
        with path.open("rb") as file:
            source = file.read(MAX_SOURCE_BYTES + 1)
    except OSError:
        return b""
    if len(source) > MAX_SOURCE_BYTES:
        raise UngradableError(f"{_shown(path)} is larger than 1 MB, too large for a solution")
    return source


def defined_names(source: bytes) -> frozenset[str]:
    """Names of functions, classes and values defined at the left margin; at most `MAX_NAMES`."""
    text = source.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n")
    names: set[str] = set()
    for match in _DEFINED.finditer(text):
        names.add((match[1] or match[2]).decode("ascii", "replace"))
        if len(names) == MAX_NAMES:
            break
    return frozenset(names)


def _in_folder(folder: Path) -> tuple[list[Path], list[Path]]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise CliError(f"{_shown(folder)} cannot be read: {_reason(error)}") from None
    shown = [entry for entry in entries if not entry.name.startswith(("_", "."))]
    files = [entry for entry in shown if entry.suffix == ".py" and entry.is_file()]
    notebooks = [entry for entry in shown if entry.suffix == ".ipynb"]
    if not files:
        raise CliError(f"{_shown(folder)} has no solutions: no .py file is directly in it")
    return files, notebooks


def _file(path: Path) -> Path:
    if path.suffix == ".ipynb":
        raise CliError(
            f"{_shown(path)}: notebooks are not supported yet", help="save it as a .py file"
        )
    try:
        path.stat()
    except OSError as error:
        raise CliError(f"{_shown(path)}: {_reason(error)}") from None
    if path.suffix != ".py":
        raise CliError(f"{_shown(path)} is not a .py file")
    if not path.is_file():
        raise CliError(f"{_shown(path)} is not a regular file")
    return path


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _is_near(entry: str, names: Iterable[str]) -> bool:
    return closest(entry, names, ALIKE) is not None


def _nearest_problem(path: Path, names: Iterable[str], entries: Mapping[str, str]) -> str:
    functions = {entry: problem for problem, entry in entries.items()}
    for name in sorted(names):
        near = closest(name, functions, ALIKE)
        if near is not None:
            return functions[near]
    raise UngradableError(
        f"{_shown(path)} defines no function that a problem asks for",
        help=f"the problems are {', '.join(sorted(entries))}; name one: --problem ID",
    )


def _shown(path: Path) -> str:
    return one_line(str(path))
