"""Fakes for the tests of the command line: problems on disk, a server, a grader."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from grader.results import CaseResult, Isolation, Report, Verdict

ISOLATION = Isolation(namespaces=True, landlock=6, memory="rss", network="none")


@dataclass(frozen=True)
class FakeCase:
    name: str
    visibility: str = "public"


@dataclass(frozen=True)
class FakeProblem:
    """What the commands look at of a problem."""

    id: str
    folder: Path = Path("problems")
    reference: Path = Path("solutions/softmax.py")
    cases: tuple[FakeCase, ...] = (FakeCase("worked example"), FakeCase("secret", "hidden"))


@dataclass(frozen=True)
class Request:
    """As in grader.batch."""

    problem: FakeProblem
    path: Path
    seed: int
    device: str
    cases: tuple[str, ...] | None
    public_only: bool


@contextmanager
def no_server(start: object, sandbox: str, requests: Sequence[Request]) -> Iterator[str]:
    yield f"{sandbox} {requests[0].device}"


@dataclass
class FakeGrader:
    """Gives each solution the verdict that its text names, and keeps the requests.

    `interrupt_after`: so many reports come, then Ctrl-C.
    """

    requests: list[Request] = field(default_factory=list)
    jobs: int = 0
    server: object = None
    interrupt_after: int | None = None

    def grade_many(
        self, requests: Sequence[Request], server: object, jobs: int
    ) -> Iterator[Report]:
        self.requests, self.server, self.jobs = list(requests), server, jobs
        for count, request in enumerate(requests):
            if count == self.interrupt_after:
                raise KeyboardInterrupt
            yield fake_report(request)


def fake_report(request: Request) -> Report:
    text = request.path.read_text()
    verdict = next((v for v in Verdict if v.value in text), Verdict.ACCEPTED)
    score = Decimal(5) if verdict is Verdict.ACCEPTED else Decimal(0)
    case = CaseResult(
        name="worked example",
        visibility="public",
        verdict=verdict,
        score=score,
        max_score=Decimal(5),
        duration_s=0.001,
    )
    return Report(
        problem=request.problem.id,
        title="A problem",
        problem_hash="p",
        solution=str(request.path),
        solution_hash="s",
        device=request.device,
        seed=request.seed,
        verdict=verdict,
        score=score,
        max_score=Decimal(5),
        cases=(case,),
        diagnosis=None,
        isolation=ISOLATION,
        versions={},
        duration_s=0.5,
    )


Solution = Callable[[str, str], Path]
"""Writes a solution: name of the file, function that it defines or verdict that it gets."""
