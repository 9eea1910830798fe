"""Contract mistakes by name, from findings."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from grader.grading.recognise import diagnose, named_trap, with_traps
from grader.problem.model import Problem
from grader.results import CaseResult, Finding, Frame, NamedTrap, Verdict

TUPLE = Finding("type", "returned a tuple of 2, expected a dict.", kind="tuple")
NARROWED = Finding("precision", "narrow", output="total", kind="narrowed")
WRONG = Finding("values", "`total`: off.", output="total", kind="wrong")
RAISED = Finding("error", "raised IndexError", kind="raised")
PREVIOUS = Finding("state", "kept", kind="previous")
REPEAT = Finding("state", "dice", kind="repeat")
FRAME = Frame(7, "toy", "return x[0]")


def failed(name: str, *findings: Finding, frames: tuple[Frame, ...] = ()) -> CaseResult:
    return result(name, Verdict.WRONG_ANSWER, findings, frames)


def result(
    name: str,
    verdict: Verdict = Verdict.ACCEPTED,
    findings: tuple[Finding, ...] = (),
    frames: tuple[Frame, ...] = (),
) -> CaseResult:
    return CaseResult(
        name, "public", verdict, Decimal(0), Decimal(1), 0.0, findings=findings, frames=frames
    )


NAMED: list[tuple[list[CaseResult], list[str], int]] = [
    ([failed("a", TUPLE), failed("b", TUPLE)], ["returned_tuple"], 2),
    ([failed("a", TUPLE), failed("b", WRONG)], ["returned_tuple"], 1),
    ([failed("a", WRONG)], [], 0),
    ([failed("a", NARROWED), failed("b", NARROWED)], ["narrowed"], 2),
    ([failed("a", NARROWED), failed("b", WRONG)], [], 0),
    ([failed("a", NARROWED, WRONG), failed("b", NARROWED)], ["narrowed"], 2),
    ([failed("no rows", RAISED)], ["no_rows"], 1),
    ([failed("no rows", RAISED), failed("b", RAISED)], [], 0),
    ([failed("no rows", RAISED), failed("b", WRONG)], [], 0),
    ([failed("no rows", WRONG)], [], 0),
    ([failed("a", TUPLE), failed("b", PREVIOUS)], ["returned_tuple", "stateful"], 2),
    ([failed("a", REPEAT), failed("b", PREVIOUS)], ["stateful", "nondeterministic"], 2),
    ([result("a"), failed("b", PREVIOUS)], ["stateful"], 1),
    ([result("a", Verdict.SKIPPED, (TUPLE,)), failed("b", WRONG)], [], 0),
    ([failed("a", PREVIOUS, TUPLE)], ["stateful"], 1),
    ([failed("a", TUPLE, REPEAT)], ["nondeterministic"], 1),
    ([failed("a", PREVIOUS, TUPLE), failed("b", TUPLE)], ["returned_tuple", "stateful"], 2),
    ([failed("a", NARROWED), failed("b", NARROWED, PREVIOUS)], ["stateful"], 1),
    ([failed("no rows", RAISED, PREVIOUS)], ["stateful"], 1),
]


@pytest.mark.parametrize(("cases", "traps", "explained"), NAMED)
def test_traps_are_named_by_their_findings(
    toy: Problem, cases: list[CaseResult], traps: list[str], explained: int
) -> None:
    """In the problem's order; `cases` and `alone` keep a name back where other cases fail."""
    found = diagnose(toy, cases)
    assert [trap.id for trap in found.traps] == traps
    assert found.explained_cases == explained
    assert found.failed_cases == sum(case.verdict is Verdict.WRONG_ANSWER for case in cases)
    assert found.first_wrong_stage == ("contract" if traps else None)


@pytest.mark.parametrize(
    ("cases", "traps"),
    [
        ([], ["returned_tuple"]),
        ([failed("b", PREVIOUS)], ["returned_tuple", "stateful"]),
        ([failed("b", TUPLE)], ["returned_tuple"]),
        ([failed("b", REPEAT), failed("c", PREVIOUS)],
         ["returned_tuple", "stateful", "nondeterministic"]),
        ([result("b", findings=(PREVIOUS,))], ["returned_tuple"]),
        ([result("b", Verdict.SKIPPED, (PREVIOUS,))], ["returned_tuple"]),
        ([failed("no rows", RAISED)], ["returned_tuple", "no_rows"]),
        ([failed("no rows", RAISED), failed("c", RAISED)], ["returned_tuple"]),
        ([failed("b", NARROWED)], ["returned_tuple", "narrowed"]),
        ([failed("b", WRONG)], ["returned_tuple"]),
    ],
    ids=[
        "none", "another", "the same again", "two more", "of a case that passed",
        "of a case that was skipped", "of one case only", "of others, too", "alone in these",
        "nothing that has a name",
    ],
)  # fmt: skip
def test_more_traps_from_other_cases(
    toy: Problem, cases: list[CaseResult], traps: list[str]
) -> None:
    """Beside what is known already, in the problem's order; all else about it stays."""
    known = diagnose(toy, [failed("a", TUPLE)])
    found = with_traps(toy, known, cases)
    assert [trap.id for trap in found.traps] == traps
    assert replace(found, traps=known.traps) == known


def test_a_trap_is_told_in_the_author_s_words(toy: Problem) -> None:
    """Title, reason and hint."""
    assert named_trap(toy.traps["returned_tuple"]) == NamedTrap(
        "returned_tuple", "contract", "a tuple", "Names?", "Names."
    )


def test_the_summary_names_the_mistakes(toy: Problem) -> None:
    """All of them, in one sentence."""
    found = diagnose(toy, [failed("a", TUPLE), failed("b", PREVIOUS)])
    assert found.summary == "a tuple and it remembers."


def test_without_a_name_the_summary_is_the_first_finding(toy: Problem) -> None:
    """With its case, which is said to be its source."""
    found = diagnose(toy, [result("a"), failed("b", WRONG, RAISED), failed("c", RAISED)])
    assert (found.summary, found.case) == ('`total`: off. (case "b")', "b")


def test_what_is_wrong_with_the_file_comes_before_all(toy: Problem) -> None:
    """Its message is the summary, its last line the place; no case is the source."""
    load = Finding("load", "the file defines no `toy`.")
    frames = (Frame(1, "<module>", "import a"), FRAME)
    found = diagnose(toy, [failed("a", TUPLE)], [load], frames)
    assert (found.summary, found.case) == (load.message, None)
    assert (found.line, found.source) == (7, "return x[0]")


def test_the_line_comes_from_a_case_that_the_traps_explain(toy: Problem) -> None:
    """The first of these that has one, not from another mistake."""
    other = Frame(99, "toy", "elsewhere")
    cases = [
        failed("a", WRONG, frames=(other,)),
        failed("b", TUPLE),
        failed("c", TUPLE, frames=(FRAME,)),
    ]
    found = diagnose(toy, cases)
    assert (found.line, found.source, found.case) == (7, "return x[0]", "c")


def test_a_case_without_a_line_gives_none(toy: Problem) -> None:
    """Summary and line are about the same case, or there is no line."""
    found = diagnose(toy, [failed("a", WRONG), failed("b", RAISED, frames=(FRAME,))])
    assert (found.case, found.line) == ("a", None)


@pytest.mark.parametrize(
    ("cases", "summary"),
    [([], "no case could be graded."), ([failed("a"), failed("b")], "2 cases failed.")],
)
def test_less_is_said_when_less_is_known(
    toy: Problem, cases: list[CaseResult], summary: str
) -> None:
    """A count, where no case has a word of its own."""
    assert diagnose(toy, cases).summary == summary
