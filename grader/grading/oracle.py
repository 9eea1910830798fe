"""Expected values: the reference, run in float64 on the CPU, on the inputs as rounded for the case.

The reference is the author's own code and trusted; it runs in this process, as no solution does.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from grader.problem.model import Output, Problem
from grader.tensors.generate import CaseInputs


class ReferenceFailed(Exception):
    """The reference cannot be loaded, raises, or returns what the problem does not say; or there
    is no such input as the problem asks for."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Outputs by name, and gradients by input name, in float64 (whole numbers as they are)."""

    outputs: Mapping[str, Tensor]
    gradients: Mapping[str, Tensor]


class Oracle:
    """The reference of a problem, loaded once."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._entry = _load(problem)

    def outputs(self, inputs: CaseInputs) -> dict[str, Tensor]:
        """What the outputs should be."""
        return self._run(_promote(inputs.tensors), inputs.scalars)

    def with_gradients(
        self, inputs: CaseInputs, wanted: tuple[str, ...], cotangents: Mapping[str, Tensor]
    ) -> Expected:
        """Outputs, and the gradient of their product with the cotangents for each input wanted."""
        tensors = _promote(inputs.tensors)
        leaves = [tensors[name].requires_grad_() for name in wanted]
        outputs = self._run(tensors, inputs.scalars)
        total = torch.zeros((), dtype=torch.float64)
        for name, weight in cotangents.items():
            total = total + (outputs[name] * weight.to(torch.float64)).sum()
        reached = total.requires_grad  # else no output depends on any of them
        found = (
            torch.autograd.grad(total, leaves, allow_unused=True)
            if reached
            else (None,) * len(leaves)
        )
        gradients = {
            name: torch.zeros_like(leaf) if gradient is None else gradient
            for name, leaf, gradient in zip(wanted, leaves, found, strict=True)
        }
        return Expected({name: value.detach() for name, value in outputs.items()}, gradients)

    def _run(
        self, tensors: Mapping[str, Tensor], scalars: Mapping[str, float | int]
    ) -> dict[str, Tensor]:
        given: dict[str, Any] = {**tensors, **scalars}
        try:
            result = self._entry(**given)
        except Exception as error:
            raise ReferenceFailed(
                f"the reference raised {type(error).__name__}: {error}"
            ) from error
        if self.problem.returns == "tensor":
            result = {self.problem.outputs[0].name: result}
        names = [output.name for output in self.problem.outputs]
        if not isinstance(result, dict) or sorted(result) != sorted(names):
            raise ReferenceFailed(f"the reference must return a dict with the keys {names}")
        return {name: _checked(name, result[name]) for name in names}


def expected_shape(output: Output, dims: Mapping[str, int]) -> tuple[int, ...]:
    """The output's shape at these sizes."""
    return tuple(size.evaluate_int(dims) for size in output.shape)


def _load(problem: Problem) -> Callable[..., Any]:
    spec = importlib.util.spec_from_file_location(f"reference_{problem.id}", problem.reference)
    if spec is None or spec.loader is None:
        raise ReferenceFailed(f"the reference {problem.reference} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        entry = getattr(module, problem.entry)
    except Exception as error:
        raise ReferenceFailed(
            f"the reference {problem.reference.name} cannot be loaded: "
            f"{type(error).__name__}: {error}"
        ) from error
    return entry  # type: ignore[no-any-return]


def _promote(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Copies, contiguous, floating ones in float64."""
    return {
        name: tensor.to(torch.float64 if tensor.is_floating_point() else tensor.dtype)
        .clone(memory_format=torch.contiguous_format)
        .detach()
        for name, tensor in tensors.items()
    }


def _checked(name: str, value: object) -> Tensor:
    if not isinstance(value, Tensor):
        raise ReferenceFailed(f"the reference returned no tensor as {name}")
    return value
