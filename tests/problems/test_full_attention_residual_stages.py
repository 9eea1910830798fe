"""The stages of full_attention_residual: right where the reference is, and wrong where it matters.

Two implementations, one truth: the right path is written apart from the reference.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from torch import Tensor

from grader.grading.computation import load_computation
from grader.grading.exam import Exam, PreparedCase
from grader.grading.search import distance
from grader.problem.load import load
from grader.problem.model import Case, ScalarInput, Tolerance
from grader.stages import Choice, Evaluation, Fitted
from tests.grading.grading_files import ROOT

PROBLEM = load(ROOT / "problems" / "full_attention_residual")
COMPUTATION = load_computation(PROBLEM)
CHOICES = list(COMPUTATION.choices())
CASES = [case for case in PROBLEM.cases if case.device != "meta"]
CONSTANT = 8.0
"""For the steps with a free constant: 8 sources are kept, or 8 is added to a logit."""
APART = 10.0
"""By how many tolerances a mistake must show in some case; closer than 8 counts as equal."""


@pytest.fixture(scope="module", params=[1, 2])
def seeded(request: pytest.FixtureRequest) -> Exam:
    return Exam(PROBLEM, request.param, "cpu")


@pytest.fixture(scope="module")
def cases() -> list[tuple[PreparedCase, Evaluation]]:
    """Every case at one seed; what is shared is computed once for all ways."""
    exam = Exam(PROBLEM, 1, "cpu")
    prepared = [exam.prepared(case) for case in CASES]
    return [(each, evaluation(each)) for each in prepared]


def evaluation(prepared: PreparedCase) -> Evaluation:
    defaults = {
        each.name: each.default
        for each in PROBLEM.inputs
        if isinstance(each, ScalarInput) and each.default is not None
    }
    given = {
        each.name: each.value.double() if isinstance(each.value, Tensor) else each.value
        for each in prepared.main.call.arguments
    }
    dtype = getattr(torch, prepared.case.dtype)
    return Evaluation(COMPUTATION, {**defaults, **given}, dtype)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_right_path_is_the_reference(seeded: Exam, case: Case) -> None:
    """Every output of every case, to the last digits of float64."""
    prepared = seeded.prepared(case)
    evaluated = evaluation(prepared)
    for target in prepared.main.targets:
        found = evaluated.output(target.output.name, (), {})
        assert found is not None
        assert target.values is not None
        exact = Tolerance(atol=1e-12, rtol=1e-12)
        assert distance(found, target.values, exact, target.scale) <= 1.0, target.output.name


def test_ids_and_stages_are_those_of_the_spec() -> None:
    """One to one; contract mistakes have no step."""
    here = {choice.trap: choice.stage for choice in CHOICES}
    there = {t.id: t.stage for t in PROBLEM.traps.values() if t.stage != "contract"}
    assert here == there


def test_stages_are_in_order() -> None:
    """And a trap stands at the first stage that it changes."""
    names = [stage.name for stage in COMPUTATION.stages]
    assert names == ["sources", "keys", "logits", "weights", "mix", "returns"]
    early = [c.trap for c in CHOICES if min(map(names.index, c.steps)) < names.index(c.stage)]
    assert early == []


@pytest.mark.parametrize(
    "number",
    range(len(CHOICES)),
    ids=[f"{choice.trap}-{number}" for number, choice in enumerate(CHOICES)],
)
def test_every_way_shows(cases: list[tuple[PreparedCase, Evaluation]], number: int) -> None:
    """At least tenfold of what is allowed, in some case and output."""
    assert any(ratio >= APART for ratio in ratios(CHOICES[number], cases))


def ratios(choice: Choice, cases: list[tuple[PreparedCase, Evaluation]]) -> Iterator[float]:
    """The distances from right, in tolerances of the case; infinite where there is no result."""
    constants = {id(step): CONSTANT for step in choice.steps.values() if isinstance(step, Fitted)}
    for prepared, evaluated in cases:
        for target in prepared.main.targets:
            found = evaluated.output(target.output.name, [choice], constants)
            assert target.values is not None
            if found is not None:
                yield distance(found, target.values, target.tolerance, target.scale)
