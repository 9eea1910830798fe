"""The command `new`: a small problem that works, under a name of its own. No torch.

Its files are those of `scaffold/`, a problem called `new_problem`, with that name replaced. All of
them are written, or none; what exists is never touched.
"""

from __future__ import annotations

import argparse
import keyword
import os
import re
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from importlib.resources import files
from pathlib import Path

import grader
from grader.cli import console, problems
from grader.cli.errors import CliError, ExitCode
from grader.problem.catalog import SPEC, find_roots
from grader.report.text import one_line, quoted

TEMPLATE_ID = "new_problem"
PARTS = (SPEC, "statement.md", "starter.py", "stages.py")
REFERENCE = "reference.py"
MOST_LETTERS = 80

_TITLE = "New problem"
_ENTRY_LINE = re.compile(rf"^entry: {TEMPLATE_ID}.*\n", re.MULTILINE)
_SCHEMA_LINE = "../../grader/problem/problem.schema.json"
_SCHEMA = Path(grader.__file__).parent / "problem" / "problem.schema.json"
_WORDS_OF_YAML = ("null", "true", "false")


def run(arguments: argparse.Namespace, program: str) -> ExitCode:
    """Write a new problem, and say what to do next."""
    folder: Path = arguments.folder
    _require_name(arguments.id)
    _require_unused(arguments.id)
    for path in scaffold(arguments.id, folder):
        print(f"wrote {path}")
    if folder.resolve() not in [root.resolve() for root in find_roots()]:
        console.warn("it is not found from here: problems are looked for in ./problems")
    _show_next(program, arguments.id)
    return ExitCode.ACCEPTED


def scaffold(problem_id: str, folder: Path) -> list[Path]:
    """Write the problem into `folder`; return the paths of its files.

    In a folder called `problems` the reference goes to `solutions/` beside it, where it is looked
    for; in any other it stays with the problem, so that nothing is written outside of the folder.
    """
    home = folder / problem_id
    reference = _reference_beside(problem_id, folder)
    texts = _texts(problem_id, home, apart=reference is not None)
    try:
        with ExitStack() as undo:
            _write(home, reference, texts, undo)
            undo.pop_all()
    except FileExistsError as error:
        raise CliError(f"{error.filename} exists already; nothing was written") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CliError(f"{error.filename or home} cannot be written: {reason}") from None
    return [*(home / part for part in PARTS), reference or home / REFERENCE]


def _require_name(problem_id: str) -> None:
    """The id names a folder, two files and a function."""
    shown = one_line(problem_id)
    if not re.fullmatch("[a-z][a-z0-9_]*", problem_id):
        near = re.sub("[^a-z0-9]+", "_", problem_id.lower()).strip("_")
        help = f'did you mean "{near}"?' if near[:1].isalpha() else "as in row_mean"
        raise CliError(
            f'"{shown}" is not a name in lower case, of letters, digits and _', help=help
        )
    if keyword.iskeyword(problem_id):
        raise CliError(f'"{shown}" is a Python keyword, and no function can be called so')
    if problem_id in _WORDS_OF_YAML:
        raise CliError(f'"{shown}" is a word of YAML, and no problem can be called so')
    if len(problem_id) > MOST_LETTERS:
        raise CliError(f"a name has at most {MOST_LETTERS} letters, and this one {len(problem_id)}")


def _require_unused(problem_id: str) -> None:
    """No problem that can be seen from here has this id, or asks for this function."""
    known = problems.known_problems()
    if problem_id in known:
        where = known[problem_id]
        raise CliError(
            f'the problem "{problem_id}" exists already, in {where}; nothing was written'
        )
    for other, entry in problems.entries().items():
        if entry == problem_id:
            help = "a solution's problem is found by its function; take another name"
            raise CliError(f'the problem "{other}" asks for a function {problem_id}', help=help)


def _reference_beside(problem_id: str, folder: Path) -> Path | None:
    """Where the loader looks for the reference of a problem in `problems/`; None: not there."""
    at = folder.resolve()
    if at.name != "problems":
        return None
    path = at.parent / "solutions" / f"{problem_id}.py"
    return path if folder.is_absolute() else Path(os.path.relpath(path))


def _texts(problem_id: str, home: Path, *, apart: bool) -> dict[str, str]:
    """The files' contents. `apart`: the reference is not in the problem's folder."""
    schema = Path(os.path.relpath(_SCHEMA.resolve(), home.resolve())).as_posix()
    title = problem_id.replace("_", " ").capitalize()
    texts = {}
    for name in (*PARTS, REFERENCE):
        text = files("grader").joinpath("cli", "scaffold", name).read_text(encoding="utf-8")
        if name == SPEC and not apart:
            text = _ENTRY_LINE.sub(rf"\g<0>reference: {REFERENCE}\n", text)
        text = text.replace(TEMPLATE_ID, problem_id).replace(_TITLE, title)
        texts[name] = text.replace(_SCHEMA_LINE, schema)
    return texts


def _write(home: Path, reference: Path | None, texts: Mapping[str, str], undo: ExitStack) -> None:
    """Take the places first, which fails if one is taken; then fill them. `undo` frees them."""
    _make_folder(home.parent, undo)
    home.mkdir()
    undo.callback(_remove_folder, home)
    inside = dict(texts)
    if reference is not None:
        _make_folder(reference.parent, undo)
        with reference.open("x", encoding="utf-8", newline="\n") as file:
            undo.callback(reference.unlink)
            file.write(inside.pop(REFERENCE))
    with tempfile.TemporaryDirectory(prefix=f".{home.name}.", dir=home.parent) as draft:
        whole = Path(draft) / home.name  # a level down, where no list of problems looks
        whole.mkdir()
        for name, text in inside.items():
            (whole / name).write_text(text, encoding="utf-8", newline="\n")
        whole.rename(home)  # which is empty


def _make_folder(folder: Path, undo: ExitStack) -> None:
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir()
        undo.callback(_remove_folder, each)
    if not folder.is_dir():
        raise CliError(f"{folder} is not a folder; nothing was written")


def _remove_folder(folder: Path) -> None:
    """If it is still empty."""
    with suppress(OSError):
        folder.rmdir()


def _show_next(program: str, problem_id: str) -> None:
    from rich.text import Text

    from grader.report.layout import Command

    console.show(console.out(), Command(Text("next: "), (f"{program} audit", quoted(problem_id))))
