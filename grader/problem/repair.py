"""A broken spec made whole, so that one run finds the mistakes of form and of meaning together.

Where pydantic refuses a value, the value is left out, or a harmless stand-in takes its place, until
the rest is accepted. Only the first round's mistakes are the author's; those of later rounds follow
from leaving out. `broken` says where something was left out, so that no check stumbles there.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from grader.problem.errors import SpecError, quoted
from grader.problem.messages import explain
from grader.problem.schema import ProblemFile
from grader.problem.yaml12 import Document, KeyPath

MAX_ROUNDS = 20
MAX_MISTAKES = 200
"""Of form. A file that is no spec at all has thousands, and no meaning that could be checked."""


@dataclass(frozen=True, slots=True)
class Validated:
    """The file as models, None when nothing could be saved, with the mistakes of its form."""

    spec: ProblemFile | None
    errors: tuple[SpecError, ...] = ()
    broken: frozenset[KeyPath] = frozenset()


def validate(document: Document) -> Validated:
    """Check the form of a document."""
    empty = tuple(islice(_empty_values(document.data, ()), MAX_MISTAKES))
    errors = tuple(_empty_error(document, path) for path in empty)
    data = copy.deepcopy(document.data) if empty else document.data
    for path in empty:
        _leave_out(data, path, document)
    try:
        return Validated(ProblemFile.model_validate(data), errors, frozenset(empty))
    except ValidationError as invalid:
        found = invalid.errors(include_url=False)
    first = [error for error in found if not _follows(_place(error, document), empty)]
    errors += explain(first[:MAX_MISTAKES], document)
    if len(errors) >= MAX_MISTAKES:
        return Validated(None, errors)
    broken = {_place(error, document) for error in found}
    return Validated(_mended(data, found, document), errors, frozenset(broken.union(empty)))


def _mended(data: object, found: list[ErrorDetails], document: Document) -> ProblemFile | None:
    """Return the spec without its mistakes; None where too little is left of it."""
    data = copy.deepcopy(data)
    for _ in range(MAX_ROUNDS):
        for error in found:
            _mend(data, error, document)
        try:
            return ProblemFile.model_validate(data)
        except ValidationError as invalid:
            found = invalid.errors(include_url=False)
    return None


def _empty_values(value: object, path: KeyPath) -> Iterator[KeyPath]:
    """Yield the paths of all nulls: nothing in a spec is null, a value was forgotten."""
    if value is None:
        yield path
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _empty_values(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _empty_values(item, (*path, index))


def _empty_error(document: Document, path: KeyPath) -> SpecError:
    name = quoted(path[-1]) if path and isinstance(path[-1], str) else "this entry"
    return document.key_error(path, f"{name} has no value", "write a value, or leave the key out")


def _follows(place: KeyPath, empty: tuple[KeyPath, ...]) -> bool:
    """Whether a mistake is there only because an empty value in it was left out."""
    return any(path[: len(place)] == place for path in empty)


def _place(error: ErrorDetails, document: Document) -> KeyPath:
    """Return what the mistake is about: of a missing key, the key itself."""
    if error["type"] == "missing":
        return (*document.resolve(error["loc"][:-1]), error["loc"][-1])
    return document.resolve(error["loc"])


def _mend(data: Any, error: ErrorDetails, document: Document) -> None:
    """Take one refused value out of the data, or give a missing one its stand-in."""
    place = _place(error, document)
    if error["type"] == "missing" and _stand_in(place, document.file) is None:
        place = place[:-1]
    _leave_out(data, place, document)


def _leave_out(data: Any, path: KeyPath, document: Document) -> None:
    """Replace a value by its stand-in, or leave its key out.

    An entry of a list goes with its list: without it, what follows would have other indices.
    """
    while path:
        parent, stand_in = _at(data, path[:-1]), _stand_in(path, document.file)
        if parent is not None and stand_in is not None:
            parent[path[-1]] = stand_in
            return
        if isinstance(parent, dict):
            parent.pop(path[-1], None)
            return
        path = path[:-1]


def _at(data: Any, path: KeyPath) -> Any:
    """Return the mapping or list at a path, None when it was left out before."""
    for part in path:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return None
    return data if isinstance(data, dict | list) else None


def _stand_in(path: KeyPath, file: Path) -> object:
    """Return what a required value is replaced by, or None."""
    match path:
        case ("format_version",):
            return 1
        case ("id",):
            return file.resolve().parent.name or "problem"
        case ("title",) | ("level",) | ("entry",):
            return "easy"
        case ("inputs",) | ("outputs",):
            return {}
        case ("points",):
            return 0
        case ("cases",):
            return []
        case ("inputs" | "outputs", str(), "shape"):
            return []
        case ("cases", int(index)):
            return {"name": f"case {index + 1}"}
        case ("cases", int(index), "name"):
            return f"case {index + 1}"
    return None
