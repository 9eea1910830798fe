"""Many solutions through one server: order, isolation from each other, and leaving early."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import batch
from grader.batch import Request, grade_many
from grader.grading.exam import Exam
from grader.grading.oracle import ReferenceFailed
from grader.problem.model import Problem
from grader.results import Report
from grader.sandbox.client import Server, start_fresh
from grader.sandbox.failure import SandboxUnavailable
from tests.grading.grading_toy import REFERENCE, RIGHT, WRONG, make_problem, solution


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    return make_problem(tmp_path / "course")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with start_fresh().settle("auto") as started:
        yield started


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server that the test may close."""
    with start_fresh().settle("auto") as started:
        yield started


def requests(folder: Path, problem: Problem, sources: dict[str, str]) -> list[Request]:
    """One for each source, in order; all of one seed."""
    made = []
    for name, source in sources.items():
        path = folder / f"{name}.py"
        path.write_text(source)
        made.append(Request(problem, path, 1, "cpu"))
    return made


def names(reports: list[Report]) -> list[str]:
    return [Path(report.solution).stem for report in reports]


def test_reports_come_as_they_are_done(tmp_path: Path, problem: Problem, server: Server) -> None:
    """A slow one holds up nobody who has another place to be graded."""
    slow = f"import time; time.sleep(1.0)\n{RIGHT}"
    asked = requests(tmp_path, problem, {"slow": slow, "quick": RIGHT, "third": WRONG})
    reports = list(grade_many(asked, server, jobs=2))
    assert names(reports) == ["quick", "third", "slow"]
    assert [report.verdict for report in reports] == ["accepted", "wrong_answer", "accepted"]


BAD = {
    "kills": solution("os.kill(os.getppid(), 9); os._exit(0)", "import os"),
    "exits": "raise SystemExit(0)\n",
    "is not there": "",
}


@pytest.mark.parametrize("kind", BAD)
def test_one_bad_among_five(tmp_path: Path, problem: Problem, server: Server, kind: str) -> None:
    """It has its own verdict, and the four others theirs."""
    sources = {"a": RIGHT, "b": RIGHT, "bad": BAD[kind], "c": RIGHT, "d": WRONG}
    asked = requests(tmp_path, problem, sources)
    if kind == "is not there":
        asked[2].path.unlink()
    found = {
        Path(report.solution).stem: str(report.verdict)
        for report in grade_many(asked, server, jobs=2)
    }
    bad = found.pop("bad")
    assert bad in ("runtime_error", "not_loadable", "wrong_answer")
    assert found == {"a": "accepted", "b": "accepted", "c": "accepted", "d": "wrong_answer"}


def test_cases_and_audience_go_with_the_request(
    tmp_path: Path, problem: Problem, server: Server
) -> None:
    """Each request has its own."""
    (tmp_path / "mine.py").write_text(RIGHT)
    path = tmp_path / "mine.py"
    asked = [
        Request(problem, path, 1, "cpu", cases=("double",)),
        Request(problem, path, 2, "cpu", public_only=True),
    ]
    one, public = grade_many(asked, server, jobs=1)
    assert [case.name for case in one.cases] == ["double"]
    assert {case.visibility for case in public.cases} == {"public"}
    assert (one.seed, public.seed) == (1, 2)


def test_an_exam_is_made_once(tmp_path: Path, server: Server) -> None:
    """The reference is loaded once for a problem at a seed, not once a solution."""
    loads = tmp_path / "loads"
    reference = f"with open({str(loads)!r}, 'a') as file: file.write('x')\n{REFERENCE}"
    problem = make_problem(tmp_path / "course", reference=reference)
    asked = requests(tmp_path, problem, dict.fromkeys("abcd", RIGHT))
    assert len(list(grade_many(asked, server, jobs=2))) == 4
    assert loads.read_text() == "x"
    again = [Request(problem, asked[0].path, seed, "cpu", cases=("small",)) for seed in (1, 2)]
    assert len(list(grade_many(again, server, jobs=2))) == 2
    assert loads.read_text() == "xxx"


def test_a_broken_reference_ends_the_batch(tmp_path: Path, own_server: Server) -> None:
    """Nobody can be graded by it."""
    problem = make_problem(tmp_path / "course", reference="raise OSError('no')\n")
    asked = requests(tmp_path, problem, {"a": RIGHT})
    with pytest.raises(ReferenceFailed, match="cannot be loaded: OSError"):
        list(grade_many(asked, own_server, jobs=1))


def test_leaving_early_ends_what_runs(tmp_path: Path, problem: Problem, own_server: Server) -> None:
    """The iterator is closed while a solution loops: nothing new is started, the loop is ended
    long before its limits, and the server with it."""
    loops = solution("while True: pass")
    sources = {"first": RIGHT, "loops": loops, "more": loops, "most": loops}
    reports = grade_many(requests(tmp_path, problem, sources), own_server, jobs=2)
    assert names([next(reports)]) == ["first"]  # type: ignore[list-item]
    started = time.monotonic()
    reports.close()  # type: ignore[attr-defined] # it is a generator
    assert time.monotonic() - started < 5
    with pytest.raises(SandboxUnavailable):
        own_server.open_session(memory_mb=512, output_kb=4, cpu_s=5)


def test_all_done_leaves_the_server_open(tmp_path: Path, problem: Problem, server: Server) -> None:
    """It belongs to the caller, who may grade on."""
    asked = requests(tmp_path, problem, {"a": RIGHT})
    for _ in range(2):
        assert len(list(grade_many(asked, server, jobs=1))) == 1


def test_nothing_to_grade_is_nothing(server: Server) -> None:
    """No report, and no error."""
    assert list(grade_many([], server, jobs=1)) == []


def test_so_many_at_a_time(
    tmp_path: Path, problem: Problem, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`jobs` of them, no more and no less."""
    together = threading.Barrier(2, timeout=30)
    lock = threading.Lock()
    running: list[Path] = []
    most = 0

    def fake(exam: Exam, path: Path, server: Server, **_: object) -> str:
        nonlocal most
        with lock:
            running.append(path)
            most = max(most, len(running))
        together.wait()
        with lock:
            running.remove(path)
        return path.stem

    monkeypatch.setattr(batch, "grade_solution", fake)
    asked = requests(tmp_path, problem, dict.fromkeys("abcd", RIGHT))
    assert sorted(grade_many(asked, server, jobs=2)) == list("abcd")  # type: ignore[type-var]
    assert most == 2
