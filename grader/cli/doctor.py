"""The command `doctor`: what this machine can hold a solution with, tried, not guessed."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grader import __version__
from grader.cli import console
from grader.cli.errors import CliError, ExitCode

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from grader.results import Isolation
    from grader.sandbox.probe import Probe


def run(arguments: argparse.Namespace, program: str) -> ExitCode:
    """Print what was found; exit 4 where `--sandbox strict` asks for more."""
    from grader.sandbox.confinement import is_strict
    from grader.sandbox.failure import SandboxUnavailable
    from grader.sandbox.probe import probe

    try:
        found = probe(arguments.sandbox)
    except SandboxUnavailable as error:
        raise CliError(str(error), code=ExitCode.JUDGE_FAILURE) from None
    out = console.out()
    for line in [*_isolation(found.isolation, found.checks), *_versions()]:
        console.show(out, line)
    if arguments.sandbox == "strict" and not is_strict(found.isolation):
        raise CliError(
            "this machine is below --sandbox strict, which needs namespaces or Landlock",
            help="; ".join(found.isolation.missing),
            code=ExitCode.JUDGE_FAILURE,
        )
    return ExitCode.ACCEPTED


def _isolation(isolation: Isolation, checks: tuple[Probe, ...]) -> Iterator[RenderableType]:
    from rich.text import Text

    from grader.report.layout import Hanging
    from grader.report.terminal import isolation_words

    yield Text("Isolation", style="bold underline")
    yield Hanging(Text("  "), Text(isolation_words(isolation)))
    for missing in isolation.missing:
        yield Hanging(Text("  missing: ", "yellow"), Text(missing))
    yield Text()
    yield Text("Tried from inside", style="bold underline")
    for check in checks:
        yield Hanging(_held(check.held), Text(f"{check.name}: {check.detail}".removesuffix(": ")))
    yield Text()


def _held(held: bool | None) -> Text:
    from rich.text import Text

    word, style = {
        True: ("held", "green"),
        False: ("open", "red"),
        None: ("not tried", "yellow"),
    }[held]
    return Text(f"  {word:<9}  ", style)


def _versions() -> Iterator[RenderableType]:
    from rich.text import Text

    from grader.report.layout import Hanging

    yield Text("Versions", style="bold underline")
    for name, version in (
        ("grader", __version__),
        ("python", platform.python_version()),
        ("system", f"{platform.system()} {platform.release()}"),
        *_torch(),
    ):
        yield Hanging(Text(f"  {name:<9}  "), Text(version))


def _torch() -> Iterator[tuple[str, str]]:
    import torch

    yield "torch", str(torch.__version__)
    if torch.cuda.is_available():
        names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
        yield "cuda", ", ".join(names)
    else:
        yield "cuda", "not available: solutions are graded on the CPU"
