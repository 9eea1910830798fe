"""A problem's folder to a `Problem`, or to all its mistakes at once, each with line and column."""

from __future__ import annotations

from pathlib import Path

from grader.problem import yaml12
from grader.problem.case_checks import check_cases
from grader.problem.catalog import SPEC
from grader.problem.convert import to_problem
from grader.problem.errors import ProblemInvalid, SpecError
from grader.problem.fields import FORMAT_VERSION
from grader.problem.files import check_files
from grader.problem.merge import MergedCase, merge
from grader.problem.mistakes import Mistakes
from grader.problem.model import Problem
from grader.problem.repair import validate
from grader.problem.schema import ProblemFile
from grader.problem.signature_checks import (
    check_points,
    check_signature,
    check_stages,
    check_traps,
)
from grader.problem.yaml12 import Document


def load(folder: Path) -> Problem:
    """Return the problem of a folder. Raises ProblemInvalid with every mistake of its spec."""
    document = _read(folder / SPEC)
    validated = validate(document)
    if validated.spec is None:
        raise ProblemInvalid((*document.errors, *validated.errors))
    mistakes = Mistakes(document, validated.broken)
    cases = merge(validated.spec, document)
    _check(validated.spec, cases, folder, mistakes)
    if found := (*document.errors, *validated.errors, *mistakes.found):
        raise ProblemInvalid(found)
    try:
        return to_problem(validated.spec, cases, mistakes, folder)
    except OSError as error:
        message = f"a file of the problem cannot be read: {error.strerror}: {error.filename}"
        raise ProblemInvalid([document.error((), message)]) from None


def _read(file: Path) -> Document:
    """Return the spec as read; raises ProblemInvalid when there is nothing in it to check."""
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        raise ProblemInvalid(
            [SpecError(file, 1, 1, f"there is no {SPEC} in this folder")]
        ) from None
    except OSError as error:
        message = f"the file cannot be read: {error.strerror}"
        raise ProblemInvalid([SpecError(file, 1, 1, message)]) from None
    document = yaml12.read(raw, file)
    if document.data is None:
        raise ProblemInvalid(document.errors)
    _check_version(document)
    return document


def _check_version(document: Document) -> None:
    """Raise for a later format at once: its other differences are no mistakes."""
    data = document.data
    version = data.get("format_version") if isinstance(data, dict) else None
    if isinstance(version, int) and version > FORMAT_VERSION:
        message = f"format_version {version} is not known"
        help = f"this grader reads format {FORMAT_VERSION}"
        raise ProblemInvalid([document.error(("format_version",), message, help)])


def _check(
    spec: ProblemFile, cases: tuple[MergedCase, ...], folder: Path, mistakes: Mistakes
) -> None:
    check_files(spec, folder, mistakes)
    check_signature(spec, mistakes)
    check_points(spec, cases, mistakes)
    check_traps(spec, cases, mistakes)
    check_stages(spec, mistakes)
    check_cases(spec, cases, mistakes)
