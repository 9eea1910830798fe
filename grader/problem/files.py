"""The files of a problem beside its spec: that they are there, and a hash of them all."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from grader.problem.catalog import SPEC
from grader.problem.mistakes import Mistakes
from grader.problem.schema import ProblemFile

REQUIRED = ("statement.md", "starter.py")
HASH_DIGITS = 16
_NO_PART = ("__pycache__",)


def reference_path(spec: ProblemFile, folder: Path) -> Path:
    """Return where the reference lies: as the spec says, else under solutions/ by the id."""
    return folder / (spec.reference or f"../../solutions/{spec.id}.py")


def check_files(spec: ProblemFile, folder: Path, mistakes: Mistakes) -> None:
    """Check that the folder has the id as its name, and the files that a problem consists of."""
    name = folder.resolve().name
    if spec.id != name and not mistakes.touched("id"):
        help = f"write `id: {name}`, or rename the folder"
        mistakes.add(("id",), f'id "{spec.id}" is not the name of its folder, "{name}"', help)
    for required in REQUIRED:
        if not os.path.isfile(folder / required):
            mistakes.add_at_key(("id",), f"{required} is missing", f"add it beside {SPEC}")
    if mistakes.touched("reference") or (not spec.reference and mistakes.touched("id")):
        return
    reference = reference_path(spec, folder)
    if not os.path.isfile(reference):  # unlike Path.is_file, it takes any text
        path = ("reference",) if spec.reference else ("id",)
        shown = spec.reference or f"../../solutions/{spec.id}.py"
        mistakes.add(path, f'the reference "{shown}" is missing', "it is relative to the folder")


def hash_of(folder: Path, reference: Path) -> str:
    """Return a hash that changes when any file of the problem or its reference changes.

    Names and contents are hashed with their lengths, so that none can pass for another. Hidden
    files and caches are no part of a problem.
    """
    digest = hashlib.sha256()
    files = sorted((path.relative_to(folder).as_posix(), path) for path in _files(folder))
    for name, path in (*files, ("reference", reference)):
        for part in (os.fsencode(name), path.read_bytes()):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return digest.hexdigest()[:HASH_DIGITS]


def _files(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _NO_PART and name[0] != "."]
        for name in names:
            path = Path(root, name)
            if name[0] != "." and path.is_file():
                yield path
