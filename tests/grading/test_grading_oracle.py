"""Expected values: the reference in float64, and what is said when it fails."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from grader.grading.oracle import Oracle, ReferenceFailed, expected_shape
from grader.problem.model import Problem
from grader.tensors.generate import CaseInputs
from tests.grading.grading_toy import SPEC, make_problem

X = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
BIAS = torch.tensor([0.5, -0.5])
INPUTS = CaseInputs({"x": X, "bias": BIAS}, {"factor": 3.0})


def test_outputs_are_computed_in_float64(toy: Problem) -> None:
    """Whatever the dtype of the case, so that the expected values are not rounded like it."""
    outputs = Oracle(toy).outputs(INPUTS)
    assert {value.dtype for value in outputs.values()} == {torch.float64}
    assert outputs["total"].tolist() == [9.0, 24.0]


def test_a_scalar_that_is_absent_is_left_to_the_default(toy: Problem) -> None:
    """As the solution's own default is."""
    outputs = Oracle(toy).outputs(CaseInputs(INPUTS.tensors, {}))
    assert outputs["total"].tolist() == [6.0, 16.0]


def test_gradients_are_those_of_the_product_with_the_cotangents(toy: Problem) -> None:
    """d(sum(w * factor * sum(x + bias))) / dx is factor * w, and its sum over rows for the bias."""
    weights = {"total": torch.tensor([1.0, 10.0]), "shares": torch.zeros(2, 2)}
    expected = Oracle(toy).with_gradients(INPUTS, ("x", "bias"), weights)
    assert expected.gradients["x"].tolist() == [[3.0, 3.0], [30.0, 30.0]]
    assert expected.gradients["bias"].tolist() == [33.0, 33.0]
    assert not expected.outputs["total"].requires_grad


def test_an_input_without_influence_has_a_zero_gradient(tmp_path: Path) -> None:
    """Not None: a learner's missing gradient is right there."""
    reference = (
        "def toy(x, bias, factor=2.0):\n"
        "    return {'total': factor * x.sum(-1), 'shares': x.softmax(-1)}\n"
    )
    oracle = Oracle(make_problem(tmp_path, reference=reference))
    weights = {"total": torch.ones(2), "shares": torch.zeros(2, 2)}
    assert oracle.with_gradients(INPUTS, ("bias",), weights).gradients["bias"].tolist() == [0, 0]


def test_the_inputs_are_copies(tmp_path: Path) -> None:
    """A reference that works in place spoils nobody's inputs."""
    reference = (
        "def toy(x, bias, factor=2.0):\n"
        "    x += bias\n"
        "    return {'total': factor * x.sum(-1), 'shares': x.softmax(-1)}\n"
    )
    before = X.clone()
    Oracle(make_problem(tmp_path, reference=reference)).outputs(
        CaseInputs({"x": X.to(torch.float64), "bias": BIAS}, {})
    )
    assert torch.equal(X, before)


BROKEN = {
    "import nothing_of_this_name\n": "the reference toy.py cannot be loaded: ModuleNotFoundError",
    "def toi(x): ...\n": "cannot be loaded: AttributeError",
    "def toy(x, bias, factor=2.0):\n    return 1 / 0\n": "raised ZeroDivisionError",
    "def toy(x):\n    return x\n": "raised TypeError",
    "def toy(x, bias, factor=2.0):\n    return x\n": r"a dict with the keys \['total', 'shares'\]",
    "def toy(x, bias, factor=2.0):\n    return {'total': x}\n": "a dict with the keys",
    "def toy(x, bias, factor=2.0):\n    return {'total': x, 'shares': 1}\n": "no tensor as shares",
}


@pytest.mark.parametrize("reference", BROKEN)
def test_a_broken_reference_is_said_so(tmp_path: Path, reference: str) -> None:
    """With what it did, in one sentence."""
    problem = make_problem(tmp_path, reference=reference)
    with pytest.raises(ReferenceFailed, match=BROKEN[reference]):
        Oracle(problem).outputs(INPUTS)


def test_a_lone_tensor_is_an_output_too(tmp_path: Path) -> None:
    """Of a problem that returns a tensor, not a dict."""
    spec = SPEC.replace("outputs:", "returns: tensor\noutputs:").replace(
        "  shares: {shape: [rows, width], axes: [row, part], sums_to_one: part}\n", ""
    )
    reference = "def toy(x, bias, factor=2.0):\n    return (x + bias).sum(-1)\n"
    outputs = Oracle(make_problem(tmp_path, spec, reference)).outputs(INPUTS)
    assert outputs["total"].tolist() == [3.0, 8.0]


def test_shapes_follow_the_sizes(toy: Problem) -> None:
    """Each size is an expression in the dims."""
    total, shares = toy.outputs
    assert expected_shape(total, {"rows": 4, "width": 3}) == (4,)
    assert expected_shape(shares, {"rows": 0, "width": 3}) == (0, 3)
