"""The commands that show problems: `list`, `show`, `hint`, `explain`, `start`. No torch."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli import console, problems
from grader.cli.errors import CliError, ExitCode
from grader.problem.names import close_name
from grader.report.text import one_line, quoted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from grader.problem.model import Problem

_LEVELS = ("easy", "medium", "hard")


def run(arguments: argparse.Namespace, program: str) -> ExitCode:
    """Carry out one of the commands of this module."""
    if arguments.command == "list":
        _list(program)
    elif arguments.command == "show":
        _show(_problem(arguments.id), program)
    elif arguments.command == "hint":
        _hint(_problem(arguments.id), arguments.number, program)
    elif arguments.command == "explain":
        _explain(_problem(arguments.id), arguments.trap, program)
    else:
        _start(arguments.id, arguments.folder, program)
    return ExitCode.ACCEPTED


def _problem(problem_id: str) -> Problem:
    return problems.load_problem(problems.folder_of(problem_id, problems.known_problems()))


def _list(program: str) -> None:
    from rich.text import Text

    from grader.report.layout import Hanging

    found = problems.known_headers()
    if not found:
        raise CliError("there are no problems here", help="run it where a folder problems/ is")
    width = max(len(header.id) for header in found)
    out = console.out()
    for header in sorted(found, key=lambda h: (_rank(h.level), h.id)):
        if header.error:
            console.warn(header.error)
        title = Text(header.title)
        title.append(f"  {', '.join(header.tags)}" if header.tags else "", "dim")
        prefix = Text(f"{header.id:<{width}}  ", "bold").append(f"{header.level:<6}  ", "not bold")
        console.show(out, Hanging(prefix, title))
    console.show(out, Text(f"\nnext: {program} show ID"))


def _rank(level: str) -> int:
    """From easy to hard; a level that is none of these, in a spec not yet right, last."""
    return _LEVELS.index(level) if level in _LEVELS else len(_LEVELS)


def _show(problem: Problem, program: str) -> None:
    from rich.text import Text

    from grader.report.overview import render_overview
    from grader.report.statement import render_statement

    out = console.out()
    console.show(out, render_statement(_read(problem.statement)))
    console.show(out, Text())
    console.show(out, render_overview(problem))
    console.show(out, Text())
    console.show(out, _next(program, "start", problem.id))


def _hint(problem: Problem, number: int, program: str) -> None:
    from rich.text import Text

    from grader.report.statement import render_statement

    count = len(problem.hints)
    if not count:
        raise CliError(f'the problem "{problem.id}" has no hints')
    if not 1 <= number <= count:
        raise CliError(f'the problem "{problem.id}" has hints 1 to {count}, not {number}')
    out = console.out()
    console.show(out, Text(f"hint {number} of {count}", style="bold"))
    console.show(out, render_statement(problem.hints[number - 1]))
    if number < count:
        console.show(out, Text())
        console.show(out, _next(program, "hint", problem.id, str(number + 1)))


def _explain(problem: Problem, trap_id: str | None, program: str) -> None:
    from rich.text import Text

    from grader.report.explanation import render_explanation, render_traps

    if not problem.traps:
        raise CliError(f'the problem "{problem.id}" has no known mistakes')
    out = console.out()
    if trap_id is None:
        console.show(out, render_traps(problem))
        console.show(out, Text())
        console.show(out, _next(program, "explain", problem.id, "TRAP"))
    elif trap_id in problem.traps:
        console.show(out, render_explanation(problem, problem.traps[trap_id]))
    else:
        every = f"see all of them: {program} explain {quoted(problem.id)}"
        raise CliError(
            f'the problem "{problem.id}" has no known mistake "{one_line(trap_id)}"',
            help=close_name(trap_id, problem.traps, otherwise=every),
        )


def _start(problem_id: str, folder: Path, program: str) -> None:
    starter = problems.folder_of(problem_id, problems.known_problems()) / "starter.py"
    text = _read(starter)
    path = folder / f"{problem_id}.py"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        what = f"{path} exists already" if path.exists() else f"{folder} is not a folder"
        raise CliError(f"{what}; nothing was written", help="name another folder") from None
    except OSError as error:
        raise CliError(f"{path} cannot be written: {_reason(error)}") from None
    print(f"wrote {path}")
    console.show(console.out(), _next(program, "check", str(path)))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = _reason(error) if isinstance(error, OSError) else "it is not UTF-8"
        raise CliError(f"{path} cannot be read: {reason}", code=ExitCode.PROBLEM_INVALID) from None


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _next(program: str, *words: str) -> RenderableType:
    from rich.text import Text

    from grader.report.layout import Command

    return Command(Text("next: "), (f"{program} {words[0]}", *map(quoted, words[1:])))
