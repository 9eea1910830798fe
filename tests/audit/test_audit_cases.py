"""Whether a case has a reason to be there, and what passes it without a thought."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from grader.audit.bench import Bench
from grader.audit.cases import check_trivial, check_worth, telling_apart
from grader.audit.ways import find_ways
from grader.grading.exam import Exam
from grader.problem.model import Problem
from grader.proof import Kill, Mutant
from tests.audit.audit_problem import FILES, SPEC_FILE, make_scale


def bench_of(folder: Path, problem: Problem) -> Bench:
    exams = tuple(Exam(problem, seed, "cpu") for seed in (1, 2))
    return Bench(problem, exams, None, folder)  # type: ignore[arg-type]


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    """Four hidden cases of it have no kind: ordinary, many rows, again; and gradients, changed."""
    found = make_scale(tmp_path)
    cases = [replace(c, kind="generic") if c.name == "gradients" else c for c in found.cases]
    return replace(found, cases=tuple(cases))


KILLS = [
    Kill("x", {"by hand": 1e3, "ordinary": 1e3, "many rows": 1e3, "gradients": 1e3, "again": 1e3}),
    Kill("y", {"by hand": 3.0, "ordinary": 12.0, "many rows": 12.0, "gradients": math.inf}),
]


def redundant(problem: Problem, **given: object) -> list[str]:
    remarks = check_worth(
        problem.cases,
        given.get("kills", KILLS),  # type: ignore[arg-type]
        given.get("mutants", ()),  # type: ignore[arg-type]
        given.get("telling", ()),  # type: ignore[arg-type]
    )
    assert {remark.check for remark in remarks} <= {"case-redundant"}
    return [remark.message.split('"')[1] for remark in remarks]


def test_a_case_without_a_reason_is_told(problem: Problem) -> None:
    """Public and declared cases need none; the first clear rejection is one."""
    assert redundant(problem) == ["many rows", "gradients", "again"]


def test_a_mutant_or_a_name_is_a_reason(problem: Problem) -> None:
    """Of the case that rejects the one, or is the first to tell the other."""
    mutant = Mutant("m", 1, "o", "", "many rows")
    assert redundant(problem, mutants=[mutant], telling=["again"]) == ["gradients"]


def test_a_weak_rejection_is_no_reason(problem: Problem) -> None:
    """It could be rounding."""
    kills = [Kill("x", {"ordinary": 9.0, "many rows": 10.0})]
    assert "ordinary" in redundant(problem, kills=kills)
    assert "many rows" not in redundant(problem, kills=kills)


def test_trivial_answers_are_made_of_what_is_at_hand(tmp_path: Path, problem: Problem) -> None:
    """Constants, and inputs with the axes of the output; none of them is accepted."""
    kills, remarks = check_trivial(bench_of(tmp_path, problem))
    assert [kill.row for kill in kills] == [
        "size = zeros",
        "size = ones",
        "scaled = zeros",
        "scaled = ones",
        "scaled = rows",
    ]
    assert remarks == []
    assert "elsewhere" not in kills[0].cases


def test_an_edge_case_may_accept_a_trivial_answer(tmp_path: Path) -> None:
    """That is what it is declared for."""
    line = (
        "  - {name: ones, visibility: hidden, points: 0, hint: Mind., dims: {batch: 2, width: 3},"
        " inputs: {rows: {constant: 1}, eps: 0}, kind: KIND}\ntraps:\n"
    )
    for kind, checks in (("edge", set()), ("contract", {"trivial-answer"})):
        spec = FILES[SPEC_FILE].replace("traps:\n", line.replace("KIND", kind))
        problem = make_scale(tmp_path / kind, {**FILES, SPEC_FILE: spec})
        _, remarks = check_trivial(bench_of(tmp_path, problem))
        assert {remark.check for remark in remarks} == checks


def test_a_case_that_tells_two_mistakes_apart_is_found(tmp_path: Path, problem: Problem) -> None:
    """The first that does, of each pair; a pair of one trap's own ways does not count."""
    bench = bench_of(tmp_path, problem)
    computation = bench.exam.computation()
    assert computation is not None
    ways, _ = find_ways(bench, computation)
    assert telling_apart(bench, computation, ways) == ["by hand", "ordinary"]
    assert telling_apart(bench, computation, [w for w in ways if w.trap == "offset"]) == []
