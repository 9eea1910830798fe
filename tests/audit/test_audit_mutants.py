"""Mutants of a small reference put to its cases, and what an author declares of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.audit import mutants as mutants_module
from grader.audit.equivalents import FILE, read_declarations
from grader.audit.mutants import check_mutants
from grader.audit.mutation import Mutation
from grader.grading.exam import Exam
from grader.problem.load import load
from grader.problem.model import Problem, Recognition, Trap
from grader.proof import Mutant, Remark, Weight
from grader.sandbox.client import Server, start_fresh

SPEC = """\
format_version: 1
id: sums
title: Sums
level: easy
entry: sums
inputs:
  x: {shape: [rows, width]}
  factor: {kind: scalar, default: 2.0}
outputs:
  total: {shape: [rows], scale: [x]}
returns: tensor
limits: {import_s: 5, case_s: 2, total_s: 20, memory_mb: 512, output_kb: 4}
points: 6
defaults: {inputs: {x: {normal: {mean: 1}}}}
cases:
  - {name: small, visibility: public, points: 2, dims: {rows: 2, width: 3}, inputs: {factor: 3}}
  - {name: wide, visibility: hidden, points: 2, dims: {rows: 3, width: 7}, hint: Mind the width.}
  - name: double
    visibility: hidden
    points: 2
    dtype: float64
    dims: {rows: 4, width: 5}
    inputs: {factor: 0.5}
    hint: Mind the digits.
"""
SOURCE = "def sums(x, factor=2.0):\n    n = 0\n    return x.sum(-1) * factor\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A fork server for all tests here."""
    with start_fresh().settle("auto") as started:
        yield started


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    """Rows are summed and scaled. Its reference has a statement that does nothing."""
    home = tmp_path / "problems" / "sums"
    home.mkdir(parents=True)
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "sums.py").write_text(SOURCE)
    (home / "problem.yaml").write_text(SPEC)
    (home / "statement.md").write_text("# Sums\n\nSum the rows.\n")
    (home / "starter.py").write_text("def sums(x, factor=2.0):\n    raise NotImplementedError\n")
    return load(home)


Checked = tuple[list[Mutant], list[Remark]]


def check(problem: Problem, server: Server, source: str = SOURCE, jobs: int = 2) -> Checked:
    """What becomes of the mutants of this source at seed 1."""
    return check_mutants(Exam(problem, 1, "cpu"), server, source, jobs=jobs)


def declare(problem: Problem, text: str) -> None:
    """Write the problem's declarations."""
    (problem.folder / FILE).write_text(text)


def told(remarks: list[Remark], check: str) -> list[str]:
    """The messages of this check."""
    return [remark.message for remark in remarks if remark.check == check]


def survivors(mutants: list[Mutant]) -> list[Mutant]:
    """Those that no case refuses."""
    return [mutant for mutant in mutants if mutant.killed_by is None]


def test_every_mutant_that_computes_something_else_is_refused(
    problem: Problem, server: Server
) -> None:
    """By a hidden case. What survives is in the statement that does nothing, each with a remark."""
    mutants, remarks = check(problem, server)
    assert {mutant.line for mutant in survivors(mutants)} == {2}
    assert {mutant.killed_by for mutant in mutants} == {"wide", "double", None}
    assert len(told(remarks, "mutant-survives")) == len(survivors(mutants)) == len(remarks)
    assert all(remark.weight is Weight.FAULT for remark in remarks)


def test_a_survivor_is_told_with_its_line_and_how_to_declare_it(
    problem: Problem, server: Server
) -> None:
    """The whole message."""
    mutants, remarks = check(problem, server)
    mutant = next(each for each in mutants if each.operator == "removed_statement")
    assert mutant.diff == "@@ -2 +2 @@\n-    n = 0\n+    pass"
    remark = next(remark for remark in remarks if mutant.id in remark.help)
    assert remark.message == (
        "sums.py:2: `pass` in the place of `n = 0` is accepted by all 3 cases."
    )
    assert remark.help == (
        "add a case that tells it, or declare it in equivalent_mutants.yaml: "
        f"- {{mutant: {mutant.id}, reason: ...}}"
    )


def test_what_is_said_does_not_depend_on_what_runs_at_once(
    problem: Problem, server: Server
) -> None:
    """The same cases, also by other numbers of jobs."""
    assert check(problem, server, jobs=1) == check(problem, server, jobs=3)


def test_only_a_case_with_gradients_asks_for_them(problem: Problem, server: Server) -> None:
    """Without one nobody is told to declare every `detach`."""
    mutants, _ = check(problem, server)
    assert "detached" not in {mutant.operator for mutant in mutants}
    double = replace(problem.cases[2], gradients=("x",))
    problem = replace(problem, cases=(*problem.cases[:2], double))
    mutants, _ = check(problem, server)
    assert {m.killed_by for m in mutants if m.operator == "detached"} == {"double"}


def test_a_trap_about_gradients_asks_for_them_too(problem: Problem, server: Server) -> None:
    """Its only case may have been forgotten."""
    rule = Recognition("gradient")
    trap = Trap("cut", "contract", "cut off", "Keep it.", "Where?", recognised_by=(rule,))
    mutants, _ = check(replace(problem, traps={"cut": trap}), server)
    assert {m.killed_by for m in mutants if m.operator == "detached"} == {None}


def test_a_mutant_that_only_a_public_case_refuses_is_told(problem: Problem, server: Server) -> None:
    """It is refused, but a learner can see by what."""
    small, wide, double = problem.cases
    problem = replace(problem, cases=(small, wide, replace(double, visibility="public")))
    mutants, remarks = check(problem, server)
    narrowed = [each for each in mutants if each.operator == "narrowed"]
    assert {each.killed_by for each in narrowed} == {"double"}
    found = [remark for remark in remarks if remark.check == "mutant-public-only"]
    assert {remark.weight for remark in found} == {Weight.WARNING}
    assert 'all hidden cases; "double", which is public, rejects it.' in found[0].message


def test_declared_survivors_are_no_remark(problem: Problem, server: Server) -> None:
    """They keep their reason."""
    found = survivors(check(problem, server)[0])
    declare(problem, "".join(f"- {{mutant: {m.id}, reason: n is not used}}\n" for m in found))
    mutants, remarks = check(problem, server)
    assert remarks == []
    assert {mutant.declared for mutant in survivors(mutants)} == {"n is not used"}
    assert {mutant.declared for mutant in mutants if mutant.killed_by} == {""}


def test_a_false_declaration_is_told(problem: Problem, server: Server) -> None:
    """A case refutes it."""
    killed = next(each for each in check(problem, server)[0] if each.killed_by)
    declare(problem, f"- mutant: {killed.id}\n  reason: it is the same\n")
    _, remarks = check(problem, server)
    assert told(remarks, "mutant-declared-killed") == [
        f'equivalent_mutants.yaml:1: "{killed.id}" is declared equivalent, and the case '
        f'"{killed.killed_by}" rejects it.'
    ]


def test_a_declaration_of_what_is_no_more_is_told(problem: Problem, server: Server) -> None:
    """With its line, as a warning."""
    declare(problem, "# old\n- {mutant: axis-00000000, reason: it is the same}\n")
    _, remarks = check(problem, server)
    assert told(remarks, "mutant-declared-unknown") == [
        'equivalent_mutants.yaml:2: the reference has no mutant "axis-00000000".'
    ]


def test_a_reference_that_is_refused_proves_nothing(problem: Problem, server: Server) -> None:
    """All of its mutants would be refused as well."""
    mutants, remarks = check(problem, server, SOURCE.replace("sum", "mean", 2))
    assert mutants == []
    assert [remark.check for remark in remarks] == ["mutants-not-run"]
    mutants, remarks = check(problem, server, "def other():\n    pass\n")
    assert told(remarks, "mutants-not-run") == [
        'the case "small" rejects the reference itself, so its mutants prove nothing.'
    ]


def test_progress_is_told_for_each(problem: Problem, server: Server) -> None:
    """How many are done, and of how many."""
    told: list[tuple[str, int, int]] = []
    mutants, _ = check_mutants(
        Exam(problem, 1, "cpu"), server, SOURCE, lambda *progress: told.append(progress)
    )
    total = len(mutants)
    assert told == [("mutants", done, total) for done in range(1, total + 1)]


@pytest.mark.parametrize(
    "source",
    ["def sums(x, factor=2.0):\n    while True:\n        pass\n", "while True:\n    pass\n"],
    ids=["in the call", "at import"],
)
def test_a_mutant_that_hangs_is_refused(
    source: str, problem: Problem, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a multiple of what the reference takes, and long before the problem's own limit."""
    monkeypatch.setattr(mutants_module, "LEAST_S", 0.05)
    monkeypatch.setattr(mutants_module, "TIMES_REFERENCE", 1.0)
    hanging = [Mutation("loop", "loop", 1, "", source)]
    monkeypatch.setattr(mutants_module, "mutations", lambda _: hanging)
    mutants, remarks = check(problem, server)
    assert [mutant.killed_by for mutant in mutants] == ["wide"]
    assert remarks == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1:1: the file is empty"),
        ("mutant: a\n", "1:1: the file must be a list"),
        ("- [\n", "not valid YAML"),
        ("- a\n", "1:3: an entry must be a mapping with the keys mutant and reason"),
        ("- {mutant: a}\n", "1:3: reason is missing"),
        ("- {reason: b}\n", "1:3: mutant is missing"),
        ("- {mutant: a, reason: ''}\n", "1:15: reason must be a text that is not empty"),
        ("- {mutant: a, reason: ~}\n", "1:15: reason must be a text that is not empty"),
        ("- {mutant: 1, reason: b}\n", "1:4: mutant must be a text that is not empty"),
        ("- {mutant: a, reason: b, raeson: c}\n", '1:26: key "raeson" is not known'),
        ("- {mutant: a, reason: b, reason: c}\n", 'key "reason" is given twice'),
        (
            "- {mutant: a, reason: b}\n- {mutant: a, reason: c}\n",
            '2:12: mutant "a" is declared twice',
        ),
    ],
)
def test_what_is_wrong_with_a_declaration_is_told(text: str, expected: str, tmp_path: Path) -> None:
    """With file, line and column, as a fault."""
    (tmp_path / FILE).write_text(text)
    (remark,) = read_declarations(tmp_path).remarks
    assert expected in remark.message
    assert remark.message.startswith(f"{FILE}:")
    assert (remark.check, remark.weight) == ("mutant-declaration", Weight.FAULT)


def test_a_near_key_is_suggested(tmp_path: Path) -> None:
    """As everywhere."""
    (tmp_path / FILE).write_text("- {mutant: a, reason: b, mutnat: c}\n")
    (remark,) = read_declarations(tmp_path).remarks
    assert remark.help == 'did you mean "mutant"?'


def test_what_is_right_in_a_file_is_kept(tmp_path: Path) -> None:
    """One entry's mistake is not another's; a reason over several lines is one sentence."""
    (tmp_path / FILE).write_text("- {mutant: a}\n- mutant: b\n  reason: |\n    it is\n    so\n")
    found = read_declarations(tmp_path)
    assert found.reasons == {"b": "it is so"}
    assert found.places == {"b": f"{FILE}:2"}
    assert len(found.remarks) == 1


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A folder in its place, say; no file at all is right."""
    assert read_declarations(tmp_path).remarks == ()
    (tmp_path / FILE).mkdir()
    (remark,) = read_declarations(tmp_path).remarks
    assert "cannot be read" in remark.message
