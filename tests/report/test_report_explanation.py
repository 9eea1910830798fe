# ruff: noqa: RUF001 - the minus sign, as it is printed
"""Known mistakes, explained and listed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.problem.model import StageText, Trap
from grader.report.explanation import render_explanation, render_traps
from tests.report.report_samples import printed, problem

CENTRED = Trap(
    id="centred",
    stage="mean",
    title="the rows are centred first",
    why="The mean is what is asked for.",
    hint="What is the mean of [1, 1]?",
    effect="All means are zero, $m_i = 0$ for each row.",
    formula=r"$m_i = \frac{1}{D} \sum_d (x_{i,d} - x_{i,0})$",
)
PLAIN = Trap("squared_twice", "square", "squared [twice]", "Once is enough.", "How often?")
TUPLE = Trap("returned_tuple", "contract", "a tuple is returned", "Names.", "Which names?")
STAGES = {
    "square": StageText("each value by itself", "$s = x^2$"),
    "mean": StageText("one number for each row", r"$m_i = \frac{1}{D} \sum_d x_{i,d}$"),
}
PROBLEM = replace(
    problem(returns_dict=True),
    traps={trap.id: trap for trap in (TUPLE, CENTRED, PLAIN)},
    stages=STAGES,
)


def test_a_mistake_is_told_whole() -> None:
    """Title, stage, effect, reason, the right formula over the wrong one, hint."""
    assert printed(render_explanation(PROBLEM, CENTRED)) == (
        "the rows are centred first\n"
        "stage mean: one number for each row\n"
        "\n"
        "What happens\n"
        "  All means are zero, mᵢ = 0 for each row.\n"
        "\n"
        "Why it is wrong\n"
        "  The mean is what is asked for.\n"
        "\n"
        "Formula\n"
        "  right  mᵢ = (1/D) ∑_d x_(i,d)\n"
        "  wrong  mᵢ = (1/D) ∑_d (x_(i,d) − x_(i,0))\n"
        "\n"
        "Hint\n"
        "  What is the mean of [1, 1]?\n"
    )


def test_what_a_problem_does_not_tell_is_left_out() -> None:
    """Without effect and formula there is the reason, the right step, and the hint."""
    text = printed(render_explanation(PROBLEM, PLAIN))
    assert "What happens" not in text
    assert "Formula\n  right  s = x²\n\nHint" in text
    silent = printed(render_explanation(replace(PROBLEM, stages={}), PLAIN))
    assert silent.startswith("squared [twice]\nstage square\n\nWhy it is wrong\n")
    assert "Formula" not in silent


def test_a_mistake_of_the_contract_has_no_right_formula() -> None:
    """Its stage is the grader's own, and explained by it."""
    text = printed(render_explanation(PROBLEM, TUPLE))
    assert "stage contract: what a call returns, and what it leaves behind\n" in text
    assert "right" not in text


def test_all_mistakes_are_listed_by_stage() -> None:
    """In the order of the stages' texts, the contract last; ids in a column."""
    assert printed(render_traps(PROBLEM)) == (
        "square: each value by itself\n"
        "  squared_twice   squared [twice]\n"
        "\n"
        "mean: one number for each row\n"
        "  centred         the rows are centred first\n"
        "\n"
        "contract: what a call returns, and what it leaves behind\n"
        "  returned_tuple  a tuple is returned\n"
    )


def test_stages_without_texts_come_as_their_traps_do() -> None:
    """By their name alone."""
    lines = printed(render_traps(replace(PROBLEM, stages={}))).splitlines()
    assert [line for line in lines if line[:1].isalpha()] == [
        "mean",
        "square",
        "contract: what a call returns, and what it leaves behind",
    ]


@pytest.mark.parametrize("width", [20, 40, 60, 100])
def test_lines_stay_within_the_terminal(width: int) -> None:
    """Texts and formulas wrap, indented to where they began; titles go below their ids."""
    shown = (render_traps(PROBLEM), *(render_explanation(PROBLEM, t) for t in (CENTRED, TUPLE)))
    for text in shown:
        assert max(map(len, printed(text, width).splitlines())) <= width


def test_a_narrow_terminal_has_titles_below_ids() -> None:
    """Beside them there would be no room."""
    assert "  centred\n    the rows are\n    centred first\n" in printed(render_traps(PROBLEM), 20)
