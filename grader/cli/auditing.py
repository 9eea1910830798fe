"""The command `audit`: from problems to remarks, tables and an exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli import console, problems, writers
from grader.cli.errors import CliError, ExitCode
from grader.cli.progress import Steps
from grader.cli.resolve import require_folder_of

if TYPE_CHECKING:
    from grader.cli.startup import Start
    from grader.problem.model import Problem
    from grader.proof import Audit
    from grader.sandbox.client import Server


def run(arguments: argparse.Namespace, program: str, start: Start) -> ExitCode:
    """Audit the problems asked for, all known ones when none is; exit 3 when one is not sound."""
    folders = _folders(arguments.ids)
    for path in arguments.report:
        require_folder_of(path)
    start.clean()
    chosen, invalid = _load(folders)
    audits: list[Audit] = []
    if chosen:
        with _open_server(start, arguments.sandbox, chosen) as server:
            for problem in chosen:
                audits.append(_audit(problem, server, arguments.seeds))
                if not arguments.json:
                    _show(audits[-1], program, first=len(audits) == 1)
    several = len(folders) > 1
    if arguments.json:
        sys.stdout.write(_json(audits, several=several, to=sys.stdout.encoding))
    for path in arguments.report:
        writers.text_to_file(path, _rendered(audits, path.suffix, several=several))
    sound = not invalid and all(audit.passed for audit in audits)
    return ExitCode.ACCEPTED if sound else ExitCode.PROBLEM_INVALID


def _folders(ids: Sequence[str]) -> list[Path]:
    known = problems.known_problems()
    if not known:
        raise CliError("there are no problems here", help="run it where a folder problems/ is")
    wanted = dict.fromkeys(ids) if ids else known
    return [problems.folder_of(problem_id, known) for problem_id in wanted]


def _load(folders: Sequence[Path]) -> tuple[list[Problem], bool]:
    """The problems that are valid, and whether one is not, which is told; alone it ends all."""
    loaded: list[Problem] = []
    invalid = False
    for folder in folders:
        try:
            loaded.append(problems.load_problem(folder))
        except CliError as error:
            if len(folders) == 1:
                raise
            console.fail(error)
            invalid = True
    return loaded, invalid


def _open_server(start: Start, sandbox: str, chosen: Sequence[Problem]) -> Server:
    """The fork server, which sees no problem, no reference and no other solution."""
    from grader.audit.bench import files_beside
    from grader.sandbox.failure import SandboxUnavailable

    private = {
        str(folder.resolve())
        for problem in chosen
        for folder in (
            problem.folder,
            problem.reference.parent,
            *(path.parent for kind in ("right", "wrong") for path in files_beside(problem, kind)),
        )
    }
    try:
        return start.server().settle(sandbox, private=sorted(private))  # type: ignore[arg-type]
    except SandboxUnavailable as error:
        raise CliError(str(error), code=ExitCode.JUDGE_FAILURE) from None


def _audit(problem: Problem, server: Server, seeds: int) -> Audit:
    from grader.audit.run import audit_problem
    from grader.sandbox.failure import SandboxUnavailable

    try:
        with Steps(problem.id) as steps:
            return audit_problem(problem, server, seeds=seeds, progress=steps.show)
    except SandboxUnavailable as error:
        raise CliError(str(error), code=ExitCode.JUDGE_FAILURE) from None


def _show(audit: Audit, program: str, *, first: bool) -> None:
    from rich.text import Text

    from grader.report.audit_terminal import render_audit

    out = console.out()
    if not first:
        console.show(out, Text())
    console.show(out, render_audit(audit, f"{program} audit"))


def _rendered(audits: Sequence[Audit], suffix: str, *, several: bool) -> str:
    """The text of a report file."""
    if suffix == ".json":
        return _json(audits, several=several, to="utf-8")
    if suffix == ".md":
        from grader.report.audit_markdown import audits_markdown

        return audits_markdown(audits)
    from grader.report.audit_html import audits_html

    return audits_html(audits)


def _json(audits: Sequence[Audit], *, several: bool, to: str | None) -> str:
    from grader.report.audit_json import audit_json, audits_json
    from grader.report.json_report import dumps

    document = audits_json(audits) if several else audit_json(audits[0])
    return f"{dumps(document, ascii_only=not console.is_utf8(to))}\n"
