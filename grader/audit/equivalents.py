"""What an author declares: mutants that compute what the reference computes, each with the reason.

The file is a list, `- {mutant: axis-15fa4b50, reason: why no case can tell it}`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader.problem import yaml12
from grader.problem.errors import SpecError, quoted
from grader.problem.names import close_name
from grader.problem.yaml12 import Document
from grader.proof import Remark, Weight

FILE = "equivalent_mutants.yaml"
KEYS = ("mutant", "reason")


@dataclass(frozen=True, slots=True)
class Declarations:
    """The reasons by mutant, where each was declared, and what is wrong with the file."""

    reasons: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()


def read_declarations(folder: Path) -> Declarations:
    """The declarations in a problem's folder; none when it has no such file."""
    file = folder / FILE
    try:
        document = yaml12.read(file.read_bytes(), file)
    except FileNotFoundError:
        return Declarations()
    except OSError as error:
        reason = SpecError(file, 1, 1, f"the file cannot be read: {error.strerror}")
        return Declarations(remarks=(_fault(reason),))
    reasons: dict[str, str] = {}
    places: dict[str, str] = {}
    errors = list(document.errors)
    for index in _entries(document, errors):
        mistakes = list(_mistakes(document, index, reasons))
        errors += mistakes
        if not mistakes:
            entry = document.data[index]  # type: ignore[index]  # a list of mappings by now
            reasons[entry["mutant"]] = " ".join(entry["reason"].split())
            places[entry["mutant"]] = f"{FILE}:{document.node((index,)).line}"
    return Declarations(reasons, places, tuple(map(_fault, errors)))


def _entries(document: Document, errors: list[SpecError]) -> range:
    if document.data is None:
        return range(0)
    if not isinstance(document.data, list):
        errors.append(document.error((), "the file must be a list", "begin each entry with `- `"))
        return range(0)
    return range(len(document.data))


def _mistakes(document: Document, index: int, known: dict[str, str]) -> Iterator[SpecError]:
    entry = document.data[index]  # type: ignore[index]  # a list, as `_entries` saw
    if not isinstance(entry, dict):
        message = "an entry must be a mapping with the keys mutant and reason"
        yield document.error((index,), message)
        return
    for key in entry:
        if key not in KEYS:
            message = f"key {quoted(key)} is not known"
            yield document.key_error((index, key), message, close_name(key, KEYS))
    for key in KEYS:
        if key not in entry:
            yield document.error((index,), f"{key} is missing")
        elif not isinstance(entry[key], str) or not entry[key].strip():
            yield document.key_error((index, key), f"{key} must be a text that is not empty")
    if isinstance(entry.get("mutant"), str) and entry["mutant"] in known:
        message = f"mutant {quoted(entry['mutant'])} is declared twice"
        yield document.error((index, "mutant"), message, "keep one of the two")


def _fault(error: SpecError) -> Remark:
    place = f"{error.file.name}:{error.line}:{error.column}"
    return Remark("mutant-declaration", Weight.FAULT, f"{place}: {error.message}.", error.help)
