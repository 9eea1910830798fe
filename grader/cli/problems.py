"""The problems as commands reach them: by id, with every failure a plain message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.errors import CliError, ExitCode
from grader.problem.catalog import Header, catalog, find_roots, headers
from grader.problem.names import close_name

if TYPE_CHECKING:
    from grader.problem.model import Problem


def known_problems() -> Mapping[str, Path]:
    """Each problem's folder by its id."""
    return catalog(find_roots())


def known_headers() -> Sequence[Header]:
    """What a list of problems shows, read without checking the rest of their files."""
    return headers(known_problems())


def entries() -> Mapping[str, str]:
    """The function that each problem asks for, by the problem's id.

    A broken problem does not stand in the way of the others: its entry is then taken to be its id,
    as most are.
    """
    return {header.id: header.entry or header.id for header in known_headers()}


def folder_of(problem_id: str, known: Mapping[str, Path]) -> Path:
    """The folder of a problem; an unknown id is an error that names the nearest."""
    if problem_id in known:
        return known[problem_id]
    help = close_name(problem_id, known) or "there are no problems here"
    raise CliError(f'no problem "{problem_id}"', help=help)


def load_problem(folder: Path) -> Problem:
    """The problem, or all that is wrong with its files, exit 3."""
    from grader.problem.errors import ProblemInvalid
    from grader.problem.load import load

    try:
        return load(folder)
    except ProblemInvalid as invalid:
        message = "\n".join(str(error) for error in invalid.errors)
        raise CliError(
            f'the problem "{folder.name}" is invalid:\n{message}', code=ExitCode.PROBLEM_INVALID
        ) from None
