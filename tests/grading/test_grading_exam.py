"""A problem at a seed: the calls that are made, and what they should give."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor

from grader.grading.exam import Exam, gradient_scale
from grader.grading.oracle import ReferenceFailed
from grader.problem.model import Case, Problem
from tests.grading.grading_toy import REFERENCE, SPEC, make_problem


def case_of(problem: Problem, name: str) -> Case:
    return next(case for case in problem.cases if case.name == name)


def inputs_of(exam: Exam, name: str) -> dict[str, Tensor | float]:
    call = exam.prepared(case_of(exam.problem, name)).main.call
    return {argument.name: argument.value for argument in call.arguments}


def test_one_seed_gives_one_exam(toy: Problem) -> None:
    """In whatever order its cases are asked for; another seed gives other inputs."""
    first, again, other = (Exam(toy, seed, "cpu") for seed in (7, 7, 8))
    again.prepared(case_of(toy, "double"))
    x = [inputs_of(exam, "small")["x"] for exam in (first, again, other)]
    assert all(isinstance(value, Tensor) for value in x)
    assert torch.equal(x[0], x[1])  # type: ignore[arg-type]
    assert not torch.equal(x[0], x[2])  # type: ignore[arg-type]


def test_a_case_is_prepared_once(exam: Exam) -> None:
    """All solutions of a class share it."""
    case = case_of(exam.problem, "small")
    assert exam.prepared(case) is exam.prepared(case)


def test_arguments_are_those_that_the_case_gives(exam: Exam) -> None:
    """In the order of the parameters; a number that is left to its default is not passed."""
    assert list(inputs_of(exam, "small")) == ["x", "bias"]
    assert list(inputs_of(exam, "no rows")) == ["x", "bias", "factor"]


def test_a_target_knows_shape_dtype_tolerance_and_scale(exam: Exam) -> None:
    """The scale is the RMS of the inputs that the output names, else one."""
    total, shares = exam.prepared(case_of(exam.problem, "double")).main.targets
    assert (total.shape, total.dtype, total.tolerance.atol) == ((3,), "float64", 1e-9)
    assert 0.1 < total.scale < 5
    assert total.scale != 1
    assert shares.scale == 1
    assert total.values is not None
    assert total.values.dtype == torch.float64


def test_a_case_on_meta_has_no_values(exam: Exam) -> None:
    """Only shapes, and inputs on the meta device."""
    main = exam.prepared(case_of(exam.problem, "elsewhere")).main
    assert main.call.device == "meta"
    assert [target.values for target in main.targets] == [None, None]


def test_a_case_with_gradients_has_random_cotangents(exam: Exam) -> None:
    """In the case's dtype, for each output, so that no gradient cancels by chance."""
    main = exam.prepared(case_of(exam.problem, "gradients")).main
    assert main.call.gradients == ("x", "bias")
    assert main.call.cotangents is not None
    assert {n: tuple(t.shape) for n, t in main.call.cotangents.items()} == {
        "total": (2,),
        "shares": (2, 3),
    }
    assert {n: tuple(t.shape) for n, t in main.gradients.items()} == {"x": (2, 3), "bias": (3,)}


def test_earlier_calls_have_their_own_sizes_and_values(exam: Exam) -> None:
    """Dims that an earlier call does not name are the case's."""
    prepared = exam.prepared(case_of(exam.problem, "before"))
    (before,) = prepared.before
    shapes = [tuple(call.call.arguments[0].value.shape) for call in (before, prepared.main)]  # type: ignore[union-attr]
    assert shapes == [(5, 2), (2, 3)]


STATED = (
    "dims: {rows: 2, width: 3}}",
    "dims: {rows: 2, width: 3}, inputs: {x: {constant: 1}, bias: {constant: 1}}, "
    "expected: {total: [12, TOTAL]}}",
)


def stated(folder: Path, total: str) -> Problem:
    return make_problem(folder, SPEC.replace(STATED[0], STATED[1].replace("TOTAL", total), 1))


def test_values_that_the_author_states_must_be_the_reference_s(tmp_path: Path) -> None:
    """Of the two one is wrong, and no learner is to find out which."""
    problem = stated(tmp_path, "12.001")
    with pytest.raises(ReferenceFailed, match='case "small": the problem states other values for'):
        Exam(problem, 1, "cpu").prepared(case_of(problem, "small"))


def test_stated_values_may_be_rounded(tmp_path: Path) -> None:
    """To the digits that a statement shows."""
    problem = stated(tmp_path, "12.00001")
    Exam(problem, 1, "cpu").prepared(case_of(problem, "small"))


def test_a_reference_of_another_shape_is_told(tmp_path: Path) -> None:
    """With both shapes."""
    problem = make_problem(tmp_path, reference=REFERENCE.replace("y.sum(-1)", "y.sum(0)"))
    with pytest.raises(
        ReferenceFailed, match=r"total of shape \(5,\), and the problem says \(4,\)"
    ):
        Exam(problem, 1, "cpu").prepared(case_of(problem, "secret"))


def test_inputs_that_cannot_be_are_the_problem_s_fault(tmp_path: Path) -> None:
    """A number that its dtype does not hold is no failure of the grader."""
    wide = "dims: {rows: 2, width: 3}, dtype: float16, inputs: {x: {constant: 1e6}}}"
    problem = make_problem(tmp_path, SPEC.replace("dims: {rows: 2, width: 3}}", wide, 1))
    with pytest.raises(ReferenceFailed, match=r'case "small", input "x": 1e\+06 does not fit'):
        Exam(problem, 1, "cpu").prepared(case_of(problem, "small"))


@pytest.mark.parametrize(("values", "scale"), [([3.0, 4.0], 3.5355339), ([0.0, 0.0], 1.0)])
def test_gradients_are_measured_by_their_own_size(values: list[float], scale: float) -> None:
    """Zero gradients, by one."""
    assert gradient_scale(torch.tensor(values)) == pytest.approx(scale)
