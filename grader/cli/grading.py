"""The commands `grade` and `check`: from PATHs to verdicts and an exit code."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from grader.cli import console, problems, writers
from grader.cli.arguments import fresh_seed
from grader.cli.devices import pick_device
from grader.cli.errors import CliError, ExitCode
from grader.cli.progress import Progress
from grader.cli.resolve import Selection, UngradableError, find_problem
from grader.problem.names import close_name
from grader.report.batch import Tally, render_batch_summary
from grader.report.disclosure import for_audience
from grader.report.text import one_line, quoted

if TYPE_CHECKING:
    from grader.batch import Request
    from grader.cli.startup import Start
    from grader.problem.model import Problem
    from grader.sandbox.client import Server


@dataclass(frozen=True, slots=True)
class Job:
    """A solution and its problem."""

    path: Path
    problem: Problem


def run(
    arguments: argparse.Namespace, program: str, start: Start, selection: Selection
) -> ExitCode:
    """Grade the selected files, print what came of it, and say how it went."""
    jobs, not_graded = plan(selection, arguments.problem)
    _require_cases(arguments, {job.problem.id: job.problem for job in jobs}.values())
    requests = _requests(arguments, jobs)
    tally = Tally(not_graded=not_graded)
    interrupted = False
    try:
        with open_server(start, arguments.sandbox, requests) as server:
            _grade(arguments, program, requests, tally, server, several=selection.several)
    except KeyboardInterrupt:
        interrupted = True
        _tell_of_interrupt(arguments)
    if selection.several and not arguments.json:
        words = (f"{program} {arguments.command}", repeat_options(vars(arguments)))
        total = len(requests) if interrupted else None
        console.show(console.out(), render_batch_summary(tally, *words, total=total))
    return exit_code(tally, interrupted=interrupted)


def open_server(
    start: Start, sandbox: Literal["auto", "strict", "none"], requests: list[Request]
) -> Server:
    """The fork server that the solutions run in; problems and submissions are kept from it."""
    from grader.sandbox.failure import SandboxUnavailable

    private = {str(folder) for each in requests for folder in _private_folders(each)}
    cuda = requests[0].device == "cuda"
    try:
        return start.server().settle(sandbox, private=sorted(private), cuda=cuda)
    except SandboxUnavailable as error:
        raise CliError(str(error), code=ExitCode.JUDGE_FAILURE) from None


def _private_folders(request: Request) -> tuple[Path, ...]:
    """Where the answers of a problem lie, and other people's submissions."""
    problem = request.problem
    folders = (problem.folder, problem.reference.parent, request.path.parent)
    return tuple(folder.resolve() for folder in folders)


def plan(selection: Selection, problem_id: str | None) -> tuple[list[Job], int]:
    """Each file with its problem, and how many files have none.

    Of several files, one without a problem is a warning; when nothing is left, an error.
    """
    known = problems.known_problems()
    entries = {} if problem_id is not None else problems.entries()
    loaded: dict[str, Problem] = {}
    jobs: list[Job] = []
    for message in selection.passed_over:
        console.warn(message)
    for path in selection.files:
        try:
            name = problem_id if problem_id is not None else find_problem(path, entries)
        except UngradableError as error:
            if not selection.several:
                raise
            console.warn(f"not graded: {error.message}")
            continue
        if name not in loaded:
            loaded[name] = problems.load_problem(problems.folder_of(name, known))
        jobs.append(Job(path, loaded[name]))
    if not jobs:
        raise CliError("none of the files could be graded", help="name the problem: --problem ID")
    return jobs, len(selection.files) - len(jobs) + len(selection.passed_over)


def exit_code(tally: Tally, *, interrupted: bool) -> ExitCode:
    """The worst of what happened."""
    if interrupted:
        return ExitCode.INTERRUPTED
    if tally.judge_errors:
        return ExitCode.JUDGE_FAILURE
    return ExitCode.ACCEPTED if tally.all_accepted else ExitCode.NOT_ACCEPTED


def _require_cases(arguments: argparse.Namespace, chosen: Iterable[Problem]) -> None:
    """The case asked for is one of each problem, and there is something to run."""
    for problem in chosen:
        public_only = arguments.command == "check"
        names = [c.name for c in problem.cases if c.visibility == "public" or not public_only]
        kind = "public case" if public_only else "case"
        if not names:
            raise CliError(f'the problem "{problem.id}" has no {kind}')
        if arguments.case is not None and arguments.case not in names:
            raise CliError(
                f'the problem "{problem.id}" has no {kind} "{one_line(arguments.case)}"',
                help=close_name(arguments.case, names),
            )


def _requests(arguments: argparse.Namespace, jobs: list[Job]) -> list[Request]:
    device = pick_device(arguments.device)
    from grader.batch import Request

    seed = fresh_seed() if arguments.seed is None else arguments.seed
    return [
        Request(
            problem=job.problem,
            path=job.path,
            seed=seed,
            device=device,
            cases=None if arguments.case is None else (arguments.case,),
            public_only=arguments.command == "check",
        )
        for job in jobs
    ]


def _grade(
    arguments: argparse.Namespace,
    program: str,
    requests: list[Request],
    tally: Tally,
    server: Server,
    *,
    several: bool,
) -> None:
    from grader.batch import grade_many
    from grader.grading.oracle import ReferenceFailed

    try:
        with ExitStack() as stack:
            outlets = _writers(stack, arguments, program, several=several)
            progress = stack.enter_context(Progress(len(requests), "grading"))
            for report in grade_many(requests, server, arguments.jobs):
                shown = for_audience(report, arguments.audience)
                tally.add(shown)
                with progress.aside():
                    for outlet in outlets:
                        outlet.add(shown)
    except ReferenceFailed as error:
        raise CliError(str(error), code=ExitCode.PROBLEM_INVALID) from None


def _writers(
    stack: ExitStack, arguments: argparse.Namespace, program: str, *, several: bool
) -> list[writers.Writer]:
    outlets: list[writers.Writer] = []
    if arguments.json:
        outlets.append(stack.enter_context(writers.json_to_stdout(several=several)))
    elif several:
        outlets.append(writers.BatchLines(console.out()))
    else:
        words = (f"{program} {arguments.command}", repeat_options(vars(arguments)))
        verbose = arguments.case is not None
        outlets.append(writers.WholeReports(console.out(), *words, verbose=verbose))
    for path in arguments.report:
        outlets.append(stack.enter_context(writers.json_to_file(path, several=several)))
    return outlets


def _tell_of_interrupt(arguments: argparse.Namespace) -> None:
    console.warn("interrupted")
    for path in arguments.report:
        console.warn(f"{path} was not written")


def repeat_options(given: Mapping[str, object]) -> tuple[str, ...]:
    """The options, other than seed and case, that the user gave and that change a grade."""
    defaults = {"problem": None, "device": "auto", "sandbox": "auto", "audience": "instructor"}
    if given["command"] == "check":
        del defaults["audience"]
    return tuple(
        f"--{name} {quoted(str(given[name]))}"
        for name, default in defaults.items()
        if given[name] != default
    )
