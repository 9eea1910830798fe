"""Saboteurs of a reference, and files in their place."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from grader.audit.bench import Bench, files_beside
from grader.audit.contract import check_contract, promised_traps
from grader.audit.sabotage import saboteurs
from grader.grading.exam import Exam
from grader.problem.model import Problem, Recognition, Trap
from grader.problem.vocabulary import KINDS
from grader.sandbox.client import Server
from tests.audit.audit_problem import REFERENCE, make_scale

NOT_MADE = {("device", "output"), ("shape", "permuted")}
"""Kinds that need a GPU, or an output with more axes than two: those have one other order."""
ALL_KINDS = [
    (check, kind) for check, kinds in KINDS.items() for kind in (kinds or ("",)) if check != "dtype"
]


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    return make_scale(tmp_path)


def bench_of(problem: Problem, server: Server, folder: Path) -> Bench:
    return Bench(problem, (Exam(problem, 1, "cpu"),), server, folder)


def with_rule(problem: Problem, *rules: Recognition) -> Problem:
    """The problem with one trap of the contract in the place of its own."""
    trap = Trap("mine", "contract", "t", "w", "h", rules)
    steps = {id: each for id, each in problem.traps.items() if each.stage != "contract"}
    return replace(problem, traps={**steps, "mine": trap})


@pytest.mark.parametrize(("check", "kind"), ALL_KINDS)
def test_every_kind_of_finding_has_a_saboteur(problem: Problem, check: str, kind: str) -> None:
    """Whole files of Python, each with words for what it does."""
    made = saboteurs(Exam(problem, 1, "cpu"), Recognition(check, kind or None), REFERENCE)
    assert bool(made) is ((check, kind) not in NOT_MADE)
    for each in made:
        ast.parse(each.source)
        assert each.source.startswith(REFERENCE)
        assert each.what


CHEAP = [
    pair
    for pair in ALL_KINDS
    if pair not in NOT_MADE and pair[0] not in ("time", "memory", "layout")
]


def test_they_do_what_they_say(problem: Problem, server: Server, tmp_path: Path) -> None:
    """Each kind of finding is really found: a trap with just that rule is named."""
    traps = {
        f"{check}_{kind}": Trap(f"{check}_{kind}", "contract", "t", "w", "h", (rule,))
        for check, kind in CHEAP
        for rule in [Recognition(check, kind or None)]
    }
    folder = tmp_path / "empty"  # no stages.py: the values are explained by nothing else
    folder.mkdir()
    bare = replace(problem, traps=traps, folder=folder)
    _, _, remarks = check_contract(bench_of(bare, server, tmp_path))
    found = {remark.message.partition(":")[0] for remark in remarks}
    beside = {r.message.partition(":")[0] for r in remarks if r.check == "trap-named-beside"}
    assert found - beside == set()


def test_a_rule_for_some_cases_is_broken_only_there(
    problem: Problem, server: Server, tmp_path: Path
) -> None:
    """Told by the shapes of the inputs, and by whether they are contiguous."""
    rule = Recognition("values", cases=("strided",))
    kills, showing, remarks = check_contract(bench_of(with_rule(problem, rule), server, tmp_path))
    assert remarks == []
    assert showing == ["strided"]
    assert [kill.rejected() for kill in kills] == [{"strided"}]


def test_what_cannot_be_made_is_proved_by_a_file(
    problem: Problem, server: Server, tmp_path: Path
) -> None:
    """Beside the problem, or in the tests of a checkout; only those that promise the trap."""
    bare = with_rule(problem, Recognition("device", "output"))
    _, _, (remark,) = check_contract(bench_of(bare, server, tmp_path))
    assert (remark.check, remark.weight) == ("trap-unproved", "note")
    for folder, traps in (("problems/scale/wrong", "mine"), ("tests/solutions/wrong/scale", "y")):
        path = tmp_path / folder / "a.py"
        path.parent.mkdir(parents=True)
        path.write_text(f"# verdict: wrong_answer\n# traps: {traps}\n{REFERENCE}")
    assert [path.parent.name for path in files_beside(problem, "wrong")] == ["wrong", "scale"]
    kills, _, (remark,) = check_contract(bench_of(bare, server, tmp_path))
    assert [kill.row for kill in kills] == ["mine: a.py"]
    assert remark.check == "trap-not-rejected"


@pytest.mark.parametrize(
    ("text", "traps"),
    [
        (b"# verdict: x\n# traps: a, b\n", {"a", "b"}),
        (b"\xef\xbb\xbf# verdict: x\r\n# traps: a\r\n\xff", {"a"}),
        (b"# verdict: x\n", set()),
        (b"", set()),
    ],
)
def test_a_file_promises_traps_on_its_second_line(
    tmp_path: Path, text: bytes, traps: set[str]
) -> None:
    """Read as bytes, as files that are graded are."""
    path = tmp_path / "x.py"
    path.write_bytes(text)
    assert promised_traps(path) == traps
