"""The ways to make a mistake: found, evaluated, measured, and held to a clear rejection."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from grader.audit.bench import Bench
from grader.audit.ways import (
    check_kills,
    error_in,
    error_of,
    find_ways,
    measure_ways,
    outputs_of,
)
from grader.grading.exam import Exam
from grader.proof import Kill, Weight
from grader.stages import Computation, Evaluation
from tests.audit.audit_problem import make_scale


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The small problem at three seeds. Nothing here is graded, so there is no server."""
    folder = tmp_path_factory.mktemp("ways")
    problem = make_scale(folder)
    exams = tuple(Exam(problem, seed, "cpu") for seed in (1, 2, 3))
    return Bench(problem, exams, None, folder)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def computation(bench: Bench) -> Computation:
    found = bench.exam.computation()
    assert found is not None
    return found


def test_a_free_constant_is_chosen_so_that_it_is_found_again(
    bench: Bench, computation: Computation
) -> None:
    """Two constants that show, and that the estimate returns; every other way is there once."""
    ways, remarks = find_ways(bench, computation)
    labels = [way.label for way in ways]
    assert labels[:6] == ["summed", "absolute", "capped", "eps_outside", "no_root", "multiplied"]
    assert labels[6:] == ["offset with 1", "offset with 0.5"]
    assert remarks == []


def test_the_least_error_of_all_seeds_counts(bench: Bench, computation: Computation) -> None:
    """A case that rejects at some seeds only is no proof."""
    ways, _ = find_ways(bench, computation)
    (together,) = measure_ways(bench, computation, ways[:1])
    alone = [
        measure_ways(replace(bench, exams=(exam,)), computation, ways[:1])[0]
        for exam in bench.exams
    ]
    for name, error in together.cases.items():
        assert error == min(kill.cases[name] for kill in alone)


def test_outputs_are_rounded_as_a_solution_returns_them(
    bench: Bench, computation: Computation
) -> None:
    """Without a mistake they are within rounding of what is expected, in the case's dtype."""
    for prepared in bench.valued(bench.exam):
        given = {a.name: a.value for a in prepared.main.call.arguments}
        given = {
            name: value.double() if isinstance(value, torch.Tensor) else value
            for name, value in ({"eps": 0.05} | given).items()
        }
        dtype = getattr(torch, prepared.case.dtype)
        outputs = outputs_of(prepared, Evaluation(computation, given, dtype))
        assert {value.dtype for value in outputs.values() if value is not None} == {dtype}
        assert error_of(prepared, outputs) < 0.05


def test_what_cannot_be_compared_is_infinitely_wrong(bench: Bench) -> None:
    """No result, another shape, NaN; equal values are right whatever the tolerance."""
    target = bench.valued(bench.exam)[0].main.targets[0]
    assert target.values is not None
    assert error_in(target, None) == math.inf
    assert error_in(target, target.values[:1]) == math.inf
    assert error_in(target, torch.full_like(target.values, math.nan)) == math.inf
    assert error_in(target, target.values) == 0.0
    allowed = target.tolerance.atol * target.scale + target.tolerance.rtol * 5
    assert error_in(target, target.values + torch.tensor([7 * allowed, 0])) == pytest.approx(7)


@pytest.mark.parametrize(
    ("error", "check", "words"),
    [
        (0.0, "trap-not-rejected", "is accepted by all 2 cases: it gives the right values"),
        (0.4, "trap-not-rejected", 'its largest error is 0.4 tolerances, in "b"'),
        (9.9, "trap-barely-rejected", 'off by no more than 9.9 tolerances, in "b"'),
    ],
)
def test_a_mistake_must_be_rejected_tenfold(error: float, check: str, words: str) -> None:
    """In one case at least; the figures are told."""
    (remark,) = check_kills([Kill("x", {"a": 0.0, "b": error}, "x")], 2)
    assert (remark.check, remark.weight) == (check, Weight.FAULT)
    assert words in remark.message


def test_a_tenfold_rejection_is_enough() -> None:
    """In whichever case."""
    assert check_kills([Kill("x", {"a": 0.0, "b": 10.0}), Kill("y", {"a": math.inf})], 2) == []
