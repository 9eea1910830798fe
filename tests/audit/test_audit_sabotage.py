"""Faults planted in a sound problem, one at a time: the audit finds each and says what it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from grader.audit import run
from grader.audit.run import audit_problem
from grader.problem.errors import ProblemInvalid
from grader.proof import Audit, Weight
from grader.sandbox.client import Server
from tests.audit.audit_problem import (
    FILES,
    REFERENCE,
    REFERENCE_FILE,
    SPEC_FILE,
    STAGES_FILE,
    STARTER_FILE,
    make_scale,
)

RIGHT_FILE = "problems/scale/right/other.py"
FAULT, WARNING, NOTE = Weight


@dataclass(frozen=True, slots=True)
class Fault:
    """A change of one file, and the remark that it must lead to, by check, weight and words.

    `old` "": the file is written anew. `others`: checks of the remarks that may come with it.
    """

    name: str
    file: str
    old: str
    new: str
    check: str
    words: tuple[str, ...] = ()
    weight: Weight = FAULT
    others: frozenset[str] = field(default=frozenset())


def case(text: str) -> str:
    """A case at the end of the others, of no points."""
    return f"  - {{visibility: hidden, points: 0, hint: Mind it., {text}}}\ntraps:\n"


FOLLOWS = frozenset({"case-redundant"})
"""A case whose only reason is gone is redundant as well, and is rightly said to be."""
TRAPS = "traps:\n"
MANY_ROWS = """\
  - name: many rows
    visibility: hidden
    points: 5
    dims: {batch: 11, width: 4}
    inputs: {eps: 0.5}
    hint: Mind the number of rows.
"""
LIMITS = "limits: {import_s: 5, case_s: 2, total_s: 20, memory_mb: 512, output_kb: 4}"
MULTIPLIED = '        "multiplied": [lambda rows, size: rows * size.unsqueeze(-1)],\n'
KIND = "kind: contract, points: 2, "

FAULTS = (
    # tolerances
    Fault(
        "a tolerance times 1000",
        SPEC_FILE,
        "points: 22\n",
        "points: 22\ntolerances: {float32: {atol: 1e-2, rtol: 1e-2}}\n",
        "tolerance-too-loose",
        ("float32", "1,000 times the default"),
        WARNING,
    ),
    Fault(
        "a case with a tolerance that lets the trap through that it alone sees",
        SPEC_FILE,
        "inputs: {eps: 0.5}\n",
        "inputs: {eps: 0.5}\n    tolerance: {atol: 10, rtol: 10}\n",
        "trap-not-rejected",
        ("capped is accepted by all 8 cases", '"many rows"'),
        others=frozenset({"tolerance-too-loose", "trivial-answer"}),
    ),
    Fault(
        "a case with a tolerance that the trap which it alone sees hardly misses",
        SPEC_FILE,
        "inputs: {eps: 0.5}\n",
        "inputs: {eps: 0.5}\n    tolerance: {atol: 0.4, rtol: 0}\n",
        "trap-barely-rejected",
        ("capped is off by no more than", '"many rows"'),
        others=frozenset({"tolerance-too-loose", "trivial-answer", "trap-not-named"}),
    ),
    Fault(
        "a tolerance that right code comes near to",
        RIGHT_FILE,
        "",
        REFERENCE.replace(
            "eps).sqrt()", "eps).sqrt() * (1 + 1.2e-5 * (str(rows.dtype)[-2:] == '32'))"
        ),
        "tolerance-too-tight",
        ("(float32)", "other.py is right and uses"),
    ),
    Fault(
        "a right form that is refused",
        RIGHT_FILE,
        "",
        REFERENCE.replace("eps=0.05", "eps=0.06"),
        "right-form-rejected",
        ("other.py is right and rejected", '"ordinary"'),
    ),
    # traps
    Fault(
        "a trap whose step is the right one",
        STAGES_FILE,
        "lambda rows: rows.square().sum(-1)",
        "lambda rows: rows.square().mean(-1)",
        "trap-not-rejected",
        ("summed is accepted by all 8 cases; its largest error is 0.00",),
    ),
    Fault(
        "a case removed that alone sees a trap",
        SPEC_FILE,
        MANY_ROWS,
        MANY_ROWS.replace("batch: 11", "batch: 4"),
        "trap-not-rejected",
        ("capped is accepted by all 8 cases",),
        others=frozenset({"trap-not-named"}),
    ),
    Fault(
        "two traps with one step",
        STAGES_FILE,
        '"eps_outside": [lambda level, eps: level.sqrt() + eps],',
        '"eps_outside": [lambda level, eps: level + eps],',
        "traps-inseparable",
        ("eps_outside cannot be told from no_root",),
    ),
    Fault(
        "two traps that are said to be the same and are not",
        SPEC_FILE,
        "hint: Sum or mean?}",
        "hint: Sum or mean?, same_as: [no_root]}",
        "same-as-untrue",
        ("summed and no_root",),
        WARNING,
    ),
    Fault(
        "an estimate that fails",
        STAGES_FILE,
        "return float((scaled",
        "return 2 * float((scaled",
        "trap-constant-lost",
        ("offset has a constant", "found again"),
    ),
    Fault(
        "a trap without a text",
        SPEC_FILE,
        "  no_root: {stage: size, title: the root is missing, why: A size., hint: Which unit?}\n",
        "",
        "stages-invalid",
        ('trap "no_root" is at stage size here and None in problem.yaml',),
    ),
    # the contract
    Fault(
        "a trap of the contract that no case can see",
        SPEC_FILE,
        "layout: {rows: transposed},",
        "",
        "trap-not-rejected",
        ("viewed: takes a view of `rows`: it is accepted by all 8 cases",),
    ),
    Fault(
        "a trap of the contract without a rule",
        SPEC_FILE,
        "hint: Which?, when: {check: mutation}}",
        "hint: Which?}",
        "trap-without-rule",
        ("changed_rows",),
    ),
    Fault(
        "a rule that never matches",
        SPEC_FILE,
        "{check: mutation}",
        "{check: mutation, output: size}",
        "trap-unproved",
        ("changed_rows: nothing shows that it is named by mutation",),
        NOTE,
    ),
    Fault(
        "a rule that matches all",
        SPEC_FILE,
        "when: {check: mutation}",
        "when: [{check: mutation}, {check: values}]",
        "trap-named-beside",
        ("summed is also reported as changed_rows",),
    ),
    Fault(
        "a rule that asks for more than is there",
        SPEC_FILE,
        "{check: state, kind: repeat}",
        "{check: state, kind: repeat, alone: true}",
        "trap-not-named",
        ("random: adds noise to all outputs: it is rejected, but not named",),
    ),
    # the reference, and what stands beside it
    Fault(
        "a wrong example",
        SPEC_FILE,
        "expected: {size: [5, 3]}",
        "expected: {size: [5, 4]}",
        "example-wrong",
        ('case "by hand" states 4 in `size` where the reference gives 3',),
    ),
    Fault(
        "a reference with a bug",
        REFERENCE_FILE,
        "(rows.square().mean(-1) + eps).sqrt()",
        "rows.square().mean(-1).sqrt() + eps",
        "stages-disagree",
        ("`size` of the right steps in stages.py is not that of the reference",),
        others=frozenset({"audit-cut-short"}),
    ),
    Fault(
        "a reference that fails in a case",
        REFERENCE_FILE,
        "    size =",
        "    rows = rows.reshape(-1, rows.shape[1]) if len(rows) < 9 else rows.reshape(1, 7)\n"
        "    size =",
        "reference-fails",
        ("the reference raised RuntimeError",),
        others=frozenset({"trap-not-rejected", "trap-not-named"}),
    ),
    Fault(
        "a reference that throws dice",
        REFERENCE_FILE,
        "    size =",
        "    import torch\n    rows = rows + torch.rand_like(rows)\n    size =",
        "reference-rejected",
        ("rejects the reference at 2 of 2 seeds, at first with 1: wrong_answer",),
        others=frozenset({"stages-disagree", "example-wrong", "audit-cut-short"}),
    ),
    Fault(
        "a starter that is the answer",
        STARTER_FILE,
        "",
        REFERENCE,
        "starter-accepted",
        ("the starter is accepted as it is",),
    ),
    Fault(
        "a starter that earns points",
        STARTER_FILE,
        "",
        REFERENCE.replace("eps=0.05", "eps=0.06"),
        "starter-scores",
        ("the starter passes by hand, many rows as it is",),
    ),
    Fault(
        "a starter that does nothing",
        STARTER_FILE,
        "raise NotImplementedError",
        "return None",
        "starter-unclear",
        ("not as not implemented",),
    ),
    Fault(
        "a limit below the reference",
        SPEC_FILE,
        LIMITS,
        LIMITS.replace("case_s: 2", "case_s: 0.00001"),
        "limit-broken",
        ("the limit of time: no answer within",),
        others=frozenset({"reference-rejected", "verdict-changes", "audit-cut-short"}),
    ),
    Fault(
        "a limit close to what the reference uses",
        REFERENCE_FILE,
        "    size =",
        "    if len(rows) == 11:\n        import time\n\n        time.sleep(0.6)\n    size =",
        "limit-close",
        ("s of 2 s for one case",),
        WARNING,
    ),
    # cases
    Fault(
        "a redundant case",
        SPEC_FILE,
        TRAPS,
        case("name: more of it, dims: {batch: 4, width: 6}"),
        "case-redundant",
        ('case "more of it" shows nothing',),
        WARNING,
    ),
    Fault(
        "a case that any answer passes",
        SPEC_FILE,
        TRAPS,
        case("name: ones, dims: {batch: 4, width: 6}, inputs: {rows: {constant: 1}, eps: 0}"),
        "trivial-answer",
        ('case "ones" accepts scaled = ones',),
    ),
)


@pytest.fixture(autouse=True)
def _no_mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take most of the time, and are planted in a test of their own."""
    monkeypatch.setattr(run, "check_mutants", lambda *given: ([], []))


def audited(folder: Path, server: Server, changed: dict[str, str]) -> Audit:
    return audit_problem(
        make_scale(folder, {**FILES, **changed}), server, seeds=2, combinations_s=0.2
    )


def test_nothing_is_found_before(tmp_path: Path, server: Server) -> None:
    """The problem is sound, so that what is found below was planted."""
    assert audited(tmp_path, server, {}).remarks == ()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_is_found(fault: Fault, tmp_path: Path, server: Server) -> None:
    """By its own check, with its place and its figures; no check that has nothing to do with it
    speaks up."""
    text = FILES.get(fault.file, "")
    assert fault.old in text
    changed = text.replace(fault.old, fault.new, 1) if fault.old else fault.new
    audit = audited(tmp_path, server, {fault.file: changed})
    told = {remark.check: remark for remark in audit.remarks if remark.check == fault.check}
    assert list(told) == [fault.check], audit.remarks
    messages = [remark.message for remark in audit.remarks if remark.check == fault.check]
    assert all(any(words in message for message in messages) for words in fault.words), messages
    assert told[fault.check].weight is fault.weight
    assert {remark.check for remark in audit.remarks} <= {fault.check} | fault.others | FOLLOWS
    assert audit.passed is (fault.weight is not FAULT)


def test_a_typo_in_a_key_is_told_by_the_loader(tmp_path: Path) -> None:
    """With its place; there is nothing to audit then."""
    spec = FILES[SPEC_FILE].replace("visibility: public", "visiblity: public")
    with pytest.raises(ProblemInvalid) as told:
        make_scale(tmp_path, {**FILES, SPEC_FILE: spec})
    assert "problem.yaml:17:5" in str(told.value)
    assert 'did you mean "visibility"?' in str(told.value)
