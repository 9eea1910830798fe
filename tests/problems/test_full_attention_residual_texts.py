"""The texts of full_attention_residual's known mistakes: each is there, and can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.problem.load import load
from grader.problem.model import CONTRACT, Trap
from grader.report.explanation import render_explanation
from tests.report.report_samples import printed

PROBLEM = load(Path(__file__).parents[2] / "problems" / "full_attention_residual")
TRAPS = list(PROBLEM.traps.values())
WIDTHS = (40, 60, 100)
RAW_TEX = re.compile(r"[\\${}]")


def test_every_stage_has_its_formula() -> None:
    """In the order of the computation."""
    assert list(PROBLEM.stages) == ["sources", "keys", "logits", "weights", "mix", "returns"]
    assert all(stage.formula for stage in PROBLEM.stages.values())


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.id)
def test_every_trap_tells_what_happens(trap: Trap) -> None:
    """And which step is wrong, where it is one of the computation."""
    assert trap.effect
    assert bool(trap.formula) == (trap.stage != CONTRACT)


def test_no_two_steps_are_told_alike() -> None:
    """Each wrong step has a formula of its own, and none is the right one."""
    told = [trap.formula for trap in TRAPS if trap.formula]
    told += [stage.formula for stage in PROBLEM.stages.values()]
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.id)
def test_every_explanation_can_be_read(trap: Trap) -> None:
    """No TeX is left in it, and no line is too long."""
    for width in WIDTHS:
        text = printed(render_explanation(PROBLEM, trap), width)
        assert not RAW_TEX.search(text), text
        assert max(map(len, text.splitlines())) <= width
