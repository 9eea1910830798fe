"""The command line's words: commands, options, their checks. Imports nothing heavy."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

from grader import __version__
from grader.cli.errors import CliError

MAX_SEED = 2**63 - 1
REPORT_SUFFIXES = (".json",)
AUDIT_SUFFIXES = (".json", ".html", ".md")
PLANNED_SUFFIXES = (".xml", ".html", ".md", ".csv")
COMMANDS = (
    "grade",
    "check",
    "list",
    "show",
    "hint",
    "explain",
    "start",
    "new",
    "audit",
    "doctor",
    "schema",
)

_DESCRIPTION = "Grade PyTorch exercises, isolated, and say what went wrong."
_EXIT_CODES = (
    "exit code: 0 accepted, 1 not accepted, 2 usage, 3 problem invalid, "
    "4 judge or sandbox failure, 130 interrupted"
)


class Parser(argparse.ArgumentParser):
    """Reports a wrong command line as a `CliError`, like every other failure."""

    def error(self, message: str) -> NoReturn:
        raise CliError(message, help=f"{self.prog} --help")


def parse(argv: list[str], program: str) -> argparse.Namespace:
    """The arguments of one command; `command` is its name. `--help` raises SystemExit(0)."""
    first = next((word for word in argv if not word.startswith("-")), None)
    if first is not None and first not in COMMANDS:
        from grader.problem.names import close_name  # most runs start without it

        every = f"the commands are {', '.join(COMMANDS)}"
        raise CliError(f'no command "{first}"', help=close_name(first, COMMANDS, otherwise=every))
    return _parser(program).parse_args(argv)


def _parser(program: str) -> Parser:
    parser = Parser(prog=program, description=_DESCRIPTION, epilog=_EXIT_CODES, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"tensor-grader {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, help: str) -> Parser:
        return commands.add_parser(name, help=help, description=f"{help}.", allow_abbrev=False)

    _add_grade(command("grade", "grade solutions on all cases"))
    _add_check(command("check", "try a solution on the public cases"))
    command("list", "list the problems")
    _add_id(command("show", "show a problem's statement"))
    hint = _add_id(command("hint", "show one of a problem's hints"))
    hint.add_argument(
        "number", metavar="N", nargs="?", type=_whole(1, 999), default=1, help="which one (1)"
    )
    explain = _add_id(command("explain", "explain one of a problem's known mistakes"))
    explain.add_argument(
        "trap", metavar="TRAP", nargs="?", help="which one; without it, all of them are listed"
    )
    start = _add_id(command("start", "begin a solution from the starter file"))
    start.add_argument(
        "folder", metavar="DIR", nargs="?", type=Path, default=Path(), help="where to put it (.)"
    )
    new = command("new", "begin a problem: a small one that works, to be changed")
    new.add_argument("id", metavar="ID", help="its name, and that of its function: lower_case")
    new.add_argument(
        "folder",
        metavar="DIR",
        nargs="?",
        type=Path,
        default=Path("problems"),
        help="the folder of problems to put it in (problems)",
    )
    _add_audit(command("audit", "prove that a problem catches its known mistakes, and names them"))
    _add_sandbox(command("doctor", "say what this machine can enforce"))
    schema = command("schema", "print the JSON Schema of problem.yaml")
    schema.add_argument(
        "--report", action="store_true", help="that of the reports of --json in its place"
    )
    return parser


def _add_grade(parser: Parser) -> None:
    parser.add_argument(
        "paths", metavar="PATH", nargs="+", help="a solution (.py), or a folder of them"
    )
    _add_grading_options(parser)
    parser.add_argument(
        "--audience",
        choices=("instructor", "learner"),
        default="instructor",
        help="who reads the report: a learner is told of hidden cases only their hints",
    )
    parser.add_argument(
        "--report",
        metavar="FILE",
        type=_report_file,
        action="append",
        default=[],
        help="also write the report to FILE, by its suffix (.json); may be given again",
    )
    parser.add_argument(
        "--jobs", metavar="N", type=_whole(1, 1024), default=1, help="solutions at a time (1)"
    )


def _add_audit(parser: Parser) -> None:
    parser.add_argument(
        "ids", metavar="ID", nargs="*", help='a problem, as "list" names it (all of them)'
    )
    parser.add_argument(
        "--seeds", metavar="N", type=_whole(1, 10_000), default=20, help="inputs to try (20)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.add_argument(
        "--report",
        metavar="FILE",
        type=partial(_report_file, known=AUDIT_SUFFIXES),
        action="append",
        default=[],
        help="also write the audit to FILE, by its suffix (.json, .html, .md); may be given again",
    )
    _add_sandbox(parser)


def _add_check(parser: Parser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs=1, help="a solution (.py)")
    _add_grading_options(parser)
    parser.set_defaults(audience="learner", report=[], jobs=1)


def _add_grading_options(parser: Parser) -> None:
    parser.add_argument(
        "--problem", metavar="ID", help="the problem, where the file leaves it open"
    )
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument(
        "--seed",
        metavar="N",
        type=_whole(0, MAX_SEED),
        help="of the inputs (a fresh one, which is printed)",
    )
    parser.add_argument("--case", metavar="NAME", help="this case only, shown in full")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    _add_sandbox(parser)


def _add_sandbox(parser: Parser) -> None:
    parser.add_argument(
        "--sandbox",
        choices=("auto", "strict", "none"),
        default="auto",
        help="auto: the strongest that works here; strict: refuse less than namespaces or "
        "Landlock; none: trust the solution",
    )


def _add_id(parser: Parser) -> Parser:
    parser.add_argument("id", metavar="ID", help='a problem, as "list" names it')
    return parser


def fresh_seed() -> int:
    """A seed that no solution can know beforehand."""
    return secrets.randbits(32)


def _whole(low: int, high: int) -> Callable[[str], int]:
    def parse_number(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f'"{text}" is not a whole number from {low} to {high}')
        return number

    return parse_number


def _report_file(text: str, known: Sequence[str] = REPORT_SUFFIXES) -> Path:
    path = Path(text)
    if path.suffix in known:
        return path
    every = ", ".join(known)
    if path.suffix in PLANNED_SUFFIXES:
        raise argparse.ArgumentTypeError(f"{path.suffix} is not supported yet, only {every}")
    raise argparse.ArgumentTypeError(f'"{text}" has none of the known suffixes: {every}')
