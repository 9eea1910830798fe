"""Many solutions through one server: some at a time, each report given as it comes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from grader.grading.exam import Device, Exam
from grader.grading.grade import grade_solution
from grader.problem.model import Problem
from grader.results import Report
from grader.sandbox.client import Server


@dataclass(frozen=True, slots=True)
class Request:
    """One solution to grade; `cases` None: all. public_only: hidden cases are left out."""

    problem: Problem
    path: Path
    seed: int
    device: Device
    cases: tuple[str, ...] | None = None
    public_only: bool = False


def grade_many(requests: Sequence[Request], server: Server, jobs: int) -> Iterator[Report]:
    """Grade all, `jobs` at a time, in order of completion; a report is not kept once it is given.

    Raises ReferenceFailed when a problem is broken. When the iterator is left early (an interrupt,
    too), the server is closed, which ends what runs.
    """
    exams = _Exams()
    waiting = iter(requests)
    pool = ThreadPoolExecutor(max_workers=jobs)
    running: set[Future[Report]] = set()
    finished = False
    try:
        while True:
            for request in waiting:
                running.add(pool.submit(_grade, exams.of(request), request, server))
                if len(running) >= jobs:
                    break
            if not running:
                finished = True
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        if not finished:
            server.close()
        pool.shutdown(wait=True, cancel_futures=True)


class _Exams:
    """One exam for each problem, seed and device, made when first asked for."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, int, Device], Exam] = {}

    def of(self, request: Request) -> Exam:
        key = (request.problem.id, request.seed, request.device)
        if key not in self._made:
            self._made[key] = Exam(request.problem, request.seed, request.device)
        return self._made[key]


def _grade(exam: Exam, request: Request, server: Server) -> Report:
    return grade_solution(
        exam, request.path, server, cases=request.cases, public_only=request.public_only
    )
