"""A whole grade of a small problem: order, skips, replaced forks, limits, and our own failures."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import torch

from grader.grading import run as run_module
from grader.grading.casework import CaseOutcome
from grader.grading.exam import Exam
from grader.grading.grade import grade_solution
from grader.grading.oracle import ReferenceFailed
from grader.problem.model import Case, Problem
from grader.results import CaseResult, Finding, Report, Verdict
from grader.sandbox.client import Server, start_fresh
from tests.grading.conftest import Grade
from tests.grading.grading_answers import call_of
from tests.grading.grading_toy import RIGHT, SPEC, WRONG, make_problem, solution

PUBLIC = ["small", "no rows"]
HIDDEN = ["secret", "double", "turned", "gradients", "before", "again", "elsewhere"]


def verdicts(report: Report) -> dict[str, Verdict]:
    return {case.name: case.verdict for case in report.cases}


def findings(report: Report, name: str) -> list[tuple[str, str]]:
    """Check and kind of each finding of a case."""
    case = next(case for case in report.cases if case.name == name)
    return [(finding.check, finding.kind) for finding in case.findings]


def traps(report: Report) -> list[str]:
    return [trap.id for trap in report.diagnosis.traps] if report.diagnosis else []


def test_a_right_solution_gets_every_point(grade: Grade, toy: Problem) -> None:
    """And no diagnosis; every compared value is well within its tolerance."""
    report = grade(RIGHT)
    assert (report.verdict, report.score, report.max_score) == ("accepted", 20, 20)
    assert report.diagnosis is None
    assert report.summary == "all 9 cases passed."
    assert (report.problem, report.problem_hash, report.seed) == ("toy", toy.hash, 1)
    errors = {case.name: case.largest_error for case in report.cases}
    assert errors.pop("elsewhere") is None
    assert max(error for error in errors.values() if error is not None) < 1 / 3


def test_public_cases_come_first(grade: Grade) -> None:
    """Before a solution has seen a hidden input; each kind in the problem's order."""
    source = solution(
        'print(len(x))\nreturn {"total": factor * y.sum(-1), "shares": y.softmax(-1)}'
    )
    report = grade(source)
    assert [case.name for case in report.cases] == PUBLIC + HIDDEN
    assert report.cases[0].output == "2\n"


def test_a_case_that_needs_a_failed_one_is_skipped(grade: Grade) -> None:
    """With its reason, and no points; what needs nothing is put."""
    report = grade(WRONG)
    assert report.verdict is Verdict.WRONG_ANSWER
    skipped = [name for name, verdict in verdicts(report).items() if verdict is Verdict.SKIPPED]
    assert skipped == ["turned", "gradients", "before"]
    case = next(case for case in report.cases if case.name == "turned")
    assert case.findings == (Finding("needs", 'needs "small", which failed.'),)
    assert (case.score, case.max_score) == (0, 2)
    assert report.diagnosis is not None
    assert report.diagnosis.case == "small"


def test_cases_by_name_bring_what_they_need(grade: Grade) -> None:
    """And no other; the points are those of these cases."""
    report = grade(RIGHT, cases=["turned"])
    assert list(verdicts(report)) == ["small", "turned"]
    assert (report.score, report.max_score) == (4, 4)


def test_public_only_leaves_hidden_cases_out(grade: Grade) -> None:
    """As `check` does; also where a hidden one is named."""
    assert list(verdicts(grade(RIGHT, public_only=True))) == PUBLIC
    assert list(verdicts(grade(RIGHT, public_only=True, cases=["turned", "small"]))) == ["small"]


def test_progress_is_told_case_by_case(grade: Grade) -> None:
    """As they come."""
    seen: list[CaseResult] = []
    report = grade(WRONG, progress=seen.append)
    assert tuple(seen) == report.cases


def test_a_fork_that_died_is_replaced(grade: Grade) -> None:
    """The case has its verdict, and the others are graded as if nothing had been."""
    dies = solution(
        "if factor == 3: os._exit(0)\n"
        'return {"total": factor * y.sum(-1), "shares": y.softmax(-1)}',
        "import os",
    )
    report = grade(dies)
    assert verdicts(report).pop("no rows") is Verdict.RUNTIME_ERROR
    others = {v for name, v in verdicts(report).items() if name != "no rows"}
    assert others == {Verdict.ACCEPTED}
    assert traps(report) == ["no_rows"]


def test_a_case_out_of_time_is_one_case(grade: Grade) -> None:
    """It is ended at its limit, which is said; its points are lost, no other's."""
    loops = solution(
        'while factor == 3: pass\nreturn {"total": factor * y.sum(-1), "shares": y.softmax(-1)}'
    )
    report = grade(loops)
    assert (report.verdict, report.score) == ("time_limit", 19)
    case = report.cases[1]
    assert case.findings[0].message == "no answer within 1 s."
    assert 0.9 < case.duration_s < 2


def test_a_loop_is_not_waited_for_again(grade: Grade) -> None:
    """A trace would show no more than that it never ends."""
    loops = solution(
        'while factor == 3: pass\nreturn {"total": factor * y.sum(-1), "shares": y.softmax(-1)}'
    )
    report = grade(loops)
    assert report.verdict is Verdict.TIME_LIMIT
    assert report.duration_s < 3


def test_all_cases_together_have_a_limit(server: Server, toy: Problem, tmp_path: Path) -> None:
    """What is left when it is over is not put, and is no pass."""
    short = replace(toy, limits=replace(toy.limits, total_s=0.4))
    path = tmp_path / "mine.py"
    path.write_text(solution("while True: pass"))
    report = grade_solution(Exam(short, 1, "cpu"), path, server)
    assert report.score == 0
    last = report.cases[-1]
    assert last.verdict is Verdict.TIME_LIMIT
    assert last.findings[0].message == "no time left: all cases together may take 0.4 s."
    assert report.duration_s < 3


def test_a_stub_is_not_failed_nine_times(grade: Grade, toy: Problem) -> None:
    """One call is enough to see that nothing is there yet; the place is shown."""
    report = grade(toy.starter.read_text())
    assert report.verdict is Verdict.RUNTIME_ERROR
    assert list(verdicts(report).values()) == [Verdict.RUNTIME_ERROR, *[Verdict.SKIPPED] * 8]
    assert report.summary == "nothing implemented yet."
    assert report.findings[0].kind == "not_implemented"
    assert {case.findings[0].message for case in report.cases} == {"nothing implemented yet."}
    assert report.diagnosis is not None
    assert (report.diagnosis.line, report.diagnosis.source) == (2, "raise NotImplementedError")


def test_a_branch_that_is_missing_is_not_a_stub(grade: Grade) -> None:
    """Something is implemented: the other cases are put."""
    branch = solution(
        "if factor == 3: raise NotImplementedError\n"
        'return {"total": factor * y.sum(-1), "shares": y.softmax(-1)}'
    )
    report = grade(branch)
    assert (report.verdict, report.score) == ("runtime_error", 19)


def test_a_file_that_does_not_load_is_one_verdict(grade: Grade) -> None:
    """Not nine; what it printed is kept."""
    report = grade("print('hello')\nraise ValueError('no')\n")
    assert report.verdict is Verdict.NOT_LOADABLE
    assert set(verdicts(report).values()) == {Verdict.SKIPPED}
    assert report.summary == "importing the file raised ValueError: no (at line 2)."
    assert (report.output, report.output_cut) == ("hello\n", False)
    assert [frame.source for frame in report.frames] == ["raise ValueError('no')"]


STATE: list[tuple[str, str, list[str]]] = [
    (
        "counter",
        "CALLS.append(1)\n"
        'return {"total": factor * y.sum(-1) + len(CALLS) - 1, "shares": y.softmax(-1)}',
        ["stateful"],
    ),
    (
        "the last width",
        "late = CALLS[-1:] == [2]\n"
        "CALLS.append(x.shape[-1])\n"
        'return {"total": factor * y.sum(-1) + late, "shares": y.softmax(-1)}',
        ["stateful"],
    ),
    (
        "wrong by chance after others",
        'return {"total": factor * y.sum(-1) + (y[0, 0] == FIRST), "shares": y.softmax(-1)}',
        [],
    ),
    (
        "noise",
        'return {"total": factor * y.sum(-1) + torch.rand(1), "shares": y.softmax(-1)}',
        ["nondeterministic"],
    ),
    (
        "noise of Python's",
        "noise = __import__('random').random()\n"
        'return {"total": factor * y.sum(-1) + noise, "shares": y.softmax(-1)}',
        ["nondeterministic"],
    ),
    (
        "noise of NumPy's",
        "noise = float(__import__('numpy').random.rand())\n"
        'return {"total": factor * y.sum(-1) + noise, "shares": y.softmax(-1)}',
        ["nondeterministic"],
    ),
    (
        "toggle on the third call of a size",
        "CALLS.append(tuple(x.shape))\n"
        "late = CALLS[-3:] == [(2, 3)] * 3\n"
        'return {"total": factor * y.sum(-1) + late, "shares": y.softmax(-1)}',
        ["stateful"],
    ),
]


@pytest.mark.parametrize(("name", "body", "named"), STATE, ids=[one[0] for one in STATE])
def test_what_is_kept_is_told_from_what_is_drawn(
    grade: Grade, exam: Exam, name: str, body: str, named: list[str]
) -> None:
    """Repeated with the same random state, noise gives the same, and memory does not."""
    x, bias = (argument.value for argument in call_of(exam, "before").call.arguments)
    first = float((x + bias)[0, 0])  # type: ignore[index,operator] # both are tensors
    found = traps(grade(solution(body.replace("FIRST", repr(first)), "CALLS = []")))
    assert [trap for trap in found if trap in ("stateful", "nondeterministic")] == named


RIGHT_STATE: list[tuple[str, str]] = [
    ("what is kept is not used", "CALLS.append(x)"),
    ("kept by what it depends on", "CALLS[:] = [(tuple(x.shape), y.sum(-1))]"),
    ("a seed of its own", "torch.manual_seed(len(CALLS))\nCALLS.append(torch.rand(1))"),
    ("a default dtype that is left", "torch.set_default_dtype(torch.float64)"),
    ("gradients that are left off", "torch.set_grad_enabled(True)\nCALLS.append(0)"),
]


@pytest.mark.parametrize(("name", "body"), RIGHT_STATE, ids=[one[0] for one in RIGHT_STATE])
def test_a_right_solution_may_keep_what_it_likes(grade: Grade, name: str, body: str) -> None:
    """Nothing is looked for where nothing is wrong."""
    returns = 'return {"total": factor * y.sum(-1), "shares": y.softmax(-1)}'
    report = grade(solution(f"{body}\n{returns}", "CALLS = []"))
    assert (report.verdict, report.score) == ("accepted", 20), report.summary


ONE_BAD_CASE = [
    ("wrong", "bad = factor == 3.0\ny = y[:, :2] if bad else y"),
    ("raises", "if len(y) == 4: raise ValueError"),
    ("wrong where it is tall", "y = y + (len(y) == 4)"),
    ("dies", "if len(y) == 4: __import__('os')._exit(0)"),
]


@pytest.mark.parametrize(("name", "body"), ONE_BAD_CASE, ids=[one[0] for one in ONE_BAD_CASE])
def test_what_is_wrong_by_itself_is_not_laid_to_other_calls(
    grade: Grade, name: str, body: str
) -> None:
    """Such a case is looked at alone, and is what it was; no other case is touched."""
    returns = 'return {"total": factor * y.sum(-1), "shares": y.softmax(-1)}'
    report = grade(solution(f"{body}\n{returns}"))
    failed = [each for each in report.cases if each.verdict not in ("accepted", "skipped")]
    assert len(failed) == 1
    assert "stateful" not in traps(report)
    assert not {check for check, _ in findings(report, failed[0].name)} & {"state"}


def test_what_other_calls_have_spoilt_is_told_as_that(grade: Grade) -> None:
    """Where a case is right by itself, though it is about something else; and those after it."""
    body = (
        "CALLS.append(1)\n"
        'return {"total": factor * y.sum(-1) + (len(CALLS) > 2), "shares": y.softmax(-1)}'
    )
    report = grade(solution(body, "CALLS = []"))
    spoilt = [each.name for each in report.cases if each.verdict == "wrong_answer"]
    assert spoilt[0] == "secret"
    assert ("state", "previous") in findings(report, "secret")
    assert traps(report) == ["stateful"]
    assert report.diagnosis is not None
    assert report.diagnosis.explained_cases == len(spoilt)


def test_a_case_that_others_have_spoilt_is_no_evidence() -> None:
    """What it returned tells nothing of the computation; that, and why, is kept."""
    spoilt = CaseOutcome(Verdict.WRONG_ANSWER, tensors={"total": torch.ones(2)}, duration_s=0.5)
    kept = spoilt.kept()
    assert (kept.verdict, kept.duration_s, kept.tensors) == (Verdict.WRONG_ANSWER, 0.5, {})
    assert [(finding.check, finding.kind) for finding in kept.findings] == [("state", "previous")]


@pytest.mark.parametrize("asked", ["[x]", "[bias]", "[x, bias]"])
def test_the_line_that_cuts_a_gradient_off(server: Server, tmp_path: Path, asked: str) -> None:
    """Of an input that one is asked of; what the others are used for cuts nothing off."""
    problem = make_problem(tmp_path, SPEC.replace("gradients: [x, bias]", f"gradients: {asked}"))
    path = tmp_path / "mine.py"
    path.write_text(
        "def toy(x, bias, factor=2.0):\n"
        "    b = (bias * 2).detach() / 2\n"
        "    a = (x * 2).detach() / 2\n"
        "    y = a + b + 0 * (x.sum() + bias.sum())\n"
        '    return {"total": factor * y.sum(-1), "shares": y.softmax(-1)}\n'
    )
    report = grade_solution(Exam(problem, 1, "cpu"), path, server)
    assert [each.name for each in report.cases if each.score == 0] == ["gradients"]
    assert report.diagnosis is not None
    assert report.diagnosis.line == (3 if asked == "[x]" else 2)


DEVICES: list[tuple[str, str, str, list[tuple[str, str]]]] = [
    ("a buffer", "y = y + torch.zeros(2, 3)[: len(y), :1]", "wrong_answer", [("device", "mixed")]),
    ("a move", "y = y.cpu()", "wrong_answer", [("device", "mixed")]),
    ("a list", "y.tolist()", "skipped", [("inconclusive", "")]),
    ("NumPy", "y.numpy()", "skipped", [("inconclusive", "")]),
    ("NumPy by way of the CPU", "y.detach().cpu().numpy()", "skipped", [("inconclusive", "")]),
    ("NumPy asks", "__import__('numpy').asarray(y)", "skipped", [("inconclusive", "")]),
    ("NumPy computes", "__import__('numpy').sqrt(y)", "skipped", [("inconclusive", "")]),
    ("NumPy of what is on the CPU", "torch.ones(3).numpy()", "accepted", []),
    ("a number", "float(y.sum())", "skipped", [("inconclusive", "")]),
    ("an index", "y = y[torch.arange(len(y))]", "accepted", []),
]


@pytest.mark.parametrize(
    ("name", "line", "verdict", "found"), DEVICES, ids=[one[0] for one in DEVICES]
)
def test_devices_are_looked_at_without_a_gpu(
    grade: Grade, name: str, line: str, verdict: str, found: list[tuple[str, str]]
) -> None:
    """What would fail on a GPU fails; what cannot be seen costs no point; indices may be on the
    CPU."""
    source = solution(f'{line}\nreturn {{"total": factor * y.sum(-1), "shares": y.softmax(-1)}}')
    report = grade(source, cases=["small", "elsewhere"])
    _, case = report.cases
    assert (case.verdict, findings(report, "elsewhere")) == (verdict, found)
    assert case.score == (0 if verdict == "wrong_answer" else 3)


@pytest.mark.parametrize(("key", "points"), [("sum", 0), ("total", 20)])
def test_a_case_that_says_nothing_gives_no_points_by_itself(
    grade: Grade, key: str, points: int
) -> None:
    """Who passes no other has shown nothing; who passes them all loses nothing."""
    source = solution(
        f'float(y.sum())\nreturn {{"{key}": factor * y.sum(-1), "shares": y.softmax(-1)}}'
    )
    assert grade(source).score == points


INCONCLUSIVE_AND_RIGHT = {
    "asks for a number": "if float(y.sum()) > 1e9: print()",
    "asks for a list": "longest = max(len(row) for row in y.tolist()) if len(y) else 0",
    "sorts by NumPy": "order = numpy.argsort(y.detach().numpy(), -1)\n"
    "y = y.gather(-1, torch.from_numpy(order)).gather(-1, torch.from_numpy(order).argsort(-1))",
    "NumPy on the CPU": "y = y * float(numpy.sign(1 + abs(y.detach().cpu().numpy()).sum()))",
    "NumPy in a helper": "assert finite(y)",
}


@pytest.mark.parametrize("name", INCONCLUSIVE_AND_RIGHT)
def test_a_solution_is_accepted_beside_an_inconclusive_case(grade: Grade, name: str) -> None:
    """Nothing was found against it."""
    body = f'{INCONCLUSIVE_AND_RIGHT[name]}\nreturn {{"total": factor * y.sum(-1), "shares": S}}'
    before = "import numpy\ndef finite(t): return bool(numpy.isfinite(t.detach().numpy()).all())\n"
    report = grade(solution(body.replace("S}", "y.softmax(-1)}"), before))
    assert (report.verdict, report.score) == ("accepted", 20), report.summary
    assert report.summary == "8 of 9 cases passed; the others were inconclusive."


def test_narrowed_float64_is_named_only_alone(grade: Grade) -> None:
    """Beside another mistake it may be that mistake's doing."""
    narrow = 'y = y.float().to(y.dtype)\nreturn {"total": factor * y.sum(-1), "shares": SHARES}'
    only = grade(solution(narrow.replace("SHARES", "y.softmax(-1)")))
    assert traps(only) == ["narrowed"]
    beside = grade(solution(narrow.replace("SHARES", "y.softmax(-1) + (len(y) == 4)")))
    assert findings(beside, "double")[0] == ("precision", "narrowed")
    assert traps(beside) == []


def test_points_are_all_or_nothing_and_exact(tmp_path: Path, server: Server) -> None:
    """Decimals add up as they are written."""
    problem = make_problem(tmp_path)
    cases = tuple(replace(case, points=Decimal("0.1")) for case in problem.cases)
    path = tmp_path / "mine.py"
    path.write_text(RIGHT)
    exam = Exam(replace(problem, cases=cases), 1, "cpu")
    assert grade_solution(exam, path, server).score == Decimal("0.9")


def test_our_own_failure_is_never_the_learner_s(
    grade: Grade, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug in the midst: the cases that were put stand, the rest is skipped, the verdict is ours;
    the bug's text, which may hold what is hidden, is not repeated."""
    put = run_module.put_case

    def buggy(exam: Exam, case: Case, *rest: Any, **options: Any) -> object:
        if case.name == "secret":
            raise ZeroDivisionError("expected 31415")
        return put(exam, case, *rest, **options)

    monkeypatch.setattr(run_module, "put_case", buggy)
    report = grade(RIGHT)
    assert report.verdict is Verdict.JUDGE_ERROR
    assert list(verdicts(report)) == PUBLIC + HIDDEN
    assert list(verdicts(report).values())[:3] == ["accepted", "accepted", "skipped"]
    assert "ZeroDivisionError at test_grading_grade.py:" in report.findings[0].message
    assert "31415" not in repr(report)


def test_a_broken_reference_ends_the_grade(tmp_path: Path, server: Server) -> None:
    """It is the problem's fault, and no report is made of it."""
    problem = make_problem(tmp_path, reference="def toy(x, bias, factor=2.0): return 1\n")
    path = tmp_path / "mine.py"
    path.write_text(RIGHT)
    with pytest.raises(ReferenceFailed):
        grade_solution(Exam(problem, 1, "cpu"), path, server)


def test_a_server_that_is_gone_is_a_judge_error(exam: Exam, tmp_path: Path) -> None:
    """Before the first fork, nothing is graded."""
    path = tmp_path / "mine.py"
    path.write_text(RIGHT)
    with start_fresh().settle("auto") as gone:
        gone.close()
        report = grade_solution(exam, path, gone)
    assert report.verdict is Verdict.JUDGE_ERROR
    assert set(verdicts(report).values()) == {Verdict.SKIPPED}
    assert report.score == 0


def test_a_server_that_goes_in_the_midst_is_a_judge_error(exam: Exam, tmp_path: Path) -> None:
    """What was graded stands, each case is there once, and the verdict is not the solution's."""
    path = tmp_path / "mine.py"
    path.write_text(RIGHT)
    with start_fresh().settle("auto") as server:

        def leave(case: CaseResult) -> None:
            if case.name == "no rows":
                server.close()

        report = grade_solution(exam, path, server, progress=leave)
    assert report.verdict is Verdict.JUDGE_ERROR
    assert list(verdicts(report)) == PUBLIC + HIDDEN
    assert list(verdicts(report).values())[:3] == ["accepted", "accepted", "skipped"]
