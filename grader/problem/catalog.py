"""Which problems there are, read fast: without pydantic or torch, only the head of each spec."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import grader
from grader.problem import yaml12

SPEC = "problem.yaml"
_HEADER = frozenset({"title", "level", "tags", "entry"})


@dataclass(frozen=True, slots=True)
class Header:
    """The head of a spec. `error` says in one line why a spec cannot be read, and is else empty."""

    id: str
    folder: Path
    title: str = ""
    level: str = ""
    tags: tuple[str, ...] = ()
    entry: str = ""
    error: str = ""


def find_roots() -> tuple[Path, ...]:
    """Return the folders that hold problems: `problems` here, then the one beside the package."""
    beside = Path(grader.__file__).parent.parent / "problems"
    roots: dict[Path, Path] = {}
    for root in (Path("problems"), beside):
        if root.is_dir():
            roots.setdefault(root.resolve(), root)
    return tuple(roots.values())


def catalog(roots: Iterable[Path]) -> dict[str, Path]:
    """Return each problem's folder by id, sorted; of two with one id, the first root's.

    The name of the folder is the id: loading a problem checks that its spec agrees.
    """
    folders: dict[str, Path] = {}
    for root in roots:
        for spec in root.glob(f"*/{SPEC}"):
            folders.setdefault(spec.parent.name, spec.parent)
    return dict(sorted(folders.items()))


def headers(problems: Mapping[str, Path]) -> tuple[Header, ...]:
    """Return what a list of problems shows; a spec that cannot be read is shown as such."""
    return tuple(_header(id, folder) for id, folder in problems.items())


def _header(id: str, folder: Path) -> Header:
    file = folder / SPEC
    try:
        document = yaml12.read(file.read_bytes(), file, until=_HEADER)
    except OSError as error:
        return Header(id, folder, error=f"{file}: {error.strerror}")
    if document.errors:
        return Header(id, folder, error=str(document.errors[0]).partition("\n")[0])
    data = document.data if isinstance(document.data, dict) else {}
    tags = data.get("tags")
    return Header(
        id=id,
        folder=folder,
        title=_text(data.get("title")) or id,
        level=_text(data.get("level")),
        tags=tuple(map(_text, tags)) if isinstance(tags, list) else (),
        entry=_text(data.get("entry")),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
