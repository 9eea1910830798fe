"""The command `schema`: the published JSON Schemas, as they lie in the package. No torch."""

from __future__ import annotations

import argparse
import sys
from importlib.resources import files

from grader.cli.errors import ExitCode

PROBLEM = ("problem", "problem.schema.json")
REPORT = ("report", "report.schema.json")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Print the schema of a problem's spec, or of a report as JSON. Both are plain ASCII."""
    place = REPORT if arguments.report else PROBLEM
    sys.stdout.write(files("grader").joinpath(*place).read_text(encoding="utf-8"))
    return ExitCode.ACCEPTED
