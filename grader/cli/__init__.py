"""The command line: `main` parses, dispatches, and turns every failure into a message and a code.

Heavy imports (torch, pydantic, rich) happen in the commands that need them, so that `--help` and
`list` start at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from grader.cli import console, startup
from grader.cli.arguments import parse
from grader.cli.errors import CliError, ExitCode
from grader.report.text import one_line

TRACEBACK = "TENSOR_GRADER_TRACEBACK"
"""Set to anything, a failure of the grader itself ends in its traceback."""

_PACKAGES = {"yaml": "pyyaml", "markdown_it": "markdown-it-py"}


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code (see `ExitCode`). Never raises SystemExit.

    Without `argv` this is the program itself, which may start itself again (see `startup`).
    """
    code = _run(argv)
    if argv is None and "torch" in sys.modules:
        startup.leave(code)
    return code


def _run(argv: list[str] | None) -> int:
    console.prepare_streams()
    program = program_name(sys.argv[0])
    try:
        start = startup.Start(argv)
        code = _dispatch(parse(start.argv, program), program, start)
        sys.stdout.flush()
    except SystemExit as end:  # argparse, after --help or --version
        return int(end.code or 0)
    except CliError as error:
        console.fail(error)
        return error.code
    except KeyboardInterrupt:
        console.fail(CliError("interrupted"))
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        console.silence_stdout()
        return ExitCode.NOT_ACCEPTED
    except ModuleNotFoundError as error:
        console.fail(_missing_package(error))
        return ExitCode.JUDGE_FAILURE
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        console.fail(_internal(error))
        return ExitCode.JUDGE_FAILURE
    return code


def program_name(first: str) -> str:
    """How the program was called, for messages that name a command to type."""
    name = Path(first).name
    if name == "__main__.py":
        return "python -m grader"
    if name == "cli.py":
        return f"python {first}"
    return "tensor-grader" if name.startswith("tensor-grader") else "python cli.py"


def _dispatch(arguments: argparse.Namespace, program: str, start: startup.Start) -> ExitCode:
    if arguments.command in ("grade", "check"):
        from grader.cli.resolve import require_folder_of, select

        for path in arguments.report:
            require_folder_of(path)
        selection = select(arguments.paths)
        start.clean()  # what can be wrong with the paths was found out before torch is imported
        from grader.cli import grading

        return grading.run(arguments, program, start, selection)
    if arguments.command == "audit":
        from grader.cli import auditing

        return auditing.run(arguments, program, start)
    if arguments.command == "doctor":
        from grader.cli import doctor

        return doctor.run(arguments, program)
    if arguments.command == "new":
        from grader.cli import scaffolding

        return scaffolding.run(arguments, program)
    if arguments.command == "schema":
        from grader.cli import schemas

        return schemas.run(arguments)
    from grader.cli import browsing

    return browsing.run(arguments, program)


def _internal(error: Exception) -> CliError:
    """A bug of the grader: exit 4, so that it is never taken for a verdict."""
    return CliError(
        f"the grader itself failed: {type(error).__name__}: {one_line(str(error))}",
        help=f"set {TRACEBACK}=1 to see where, and report it",
    )


def _missing_package(error: ModuleNotFoundError) -> CliError:
    """The environment's fault, never the learner's. A missing module of our own is a bug."""
    package = (error.name or "").partition(".")[0]
    if package in ("", "grader"):
        return _internal(error)
    return CliError(
        f'the package "{package}" is not installed, so nothing was graded',
        help=f"pip install {_PACKAGES.get(package, package)}",
    )
