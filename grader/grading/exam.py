"""A problem at one seed, ready for any number of solutions: the calls, and what they should give.

Made once and shared by all solutions of a class; each case is prepared when it is first asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from grader.grading.computation import has_stages, load_computation
from grader.grading.oracle import Oracle, ReferenceFailed, expected_shape
from grader.problem.model import DEFAULT_TOLERANCES, Case, Output, Problem, ScalarInput, Tolerance
from grader.sandbox.messages import Argument, Call
from grader.stages import Computation
from grader.tensors.compare import compare, rms, scale_of
from grader.tensors.draw import generator
from grader.tensors.generate import CaseInputs, InputError, make_inputs

Device = Literal["cpu", "cuda"]


@dataclass(frozen=True, slots=True)
class Target:
    """One output of one call: what it should be. `values` is None on the meta device."""

    output: Output
    shape: tuple[int, ...]
    dtype: str
    values: Tensor | None
    tolerance: Tolerance
    scale: float


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A call and what it should give: outputs, and gradients by input name, in float64."""

    call: Call
    targets: tuple[Target, ...]
    gradients: Mapping[str, Tensor]


@dataclass(frozen=True, slots=True)
class PreparedCase:
    """A case as it is put: calls whose answers do not count, then the call, then it again."""

    case: Case
    before: tuple[PreparedCall, ...]
    main: PreparedCall


class Exam:
    """A problem at a seed, on a device. Thread-safe. Raises ReferenceFailed when first made."""

    def __init__(self, problem: Problem, seed: int, device: Device) -> None:
        self.problem = problem
        self.seed = seed
        self.device = device
        self._oracle = Oracle(problem)
        self._prepared: dict[str, PreparedCase] = {}
        self._computation: Computation | None = None
        self._lock = threading.Lock()

    def prepared(self, case: Case) -> PreparedCase:
        """The case with its inputs and expected values."""
        with self._lock:
            if case.name not in self._prepared:
                self._prepared[case.name] = self._prepare(case)
            return self._prepared[case.name]

    def computation(self) -> Computation | None:
        """The problem's stages, loaded when first asked for; None when it has none."""
        with self._lock:
            if self._computation is None and has_stages(self.problem):
                self._computation = load_computation(self.problem)
            return self._computation

    def _prepare(self, case: Case) -> PreparedCase:
        before = tuple(
            self._prepare_call(case, {**case.dims, **dims}, number)
            for number, dims in enumerate(case.previous_calls, start=1)
        )
        prepared = PreparedCase(case, before, self._prepare_call(case, case.dims, 0))
        self._compare_with_stated(prepared)
        return prepared

    def _prepare_call(self, case: Case, dims: Mapping[str, int], number: int) -> PreparedCall:
        try:
            inputs = make_inputs(self.problem, case, self.seed, dims=dims, call=number)
        except InputError as error:
            raise ReferenceFailed(str(error)) from None
        arguments = tuple(
            Argument(each.name, inputs.scalars[each.name])
            if isinstance(each, ScalarInput)
            else Argument(each.name, inputs.tensors[each.name])
            for each in self.problem.inputs
            if each.name in inputs.tensors or each.name in inputs.scalars
        )
        if case.device == "meta":
            targets = tuple(self._target(o, case, dims, inputs, None) for o in self.problem.outputs)
            return PreparedCall(Call(arguments, "meta"), targets, {})
        if not case.gradients:
            outputs = self._oracle.outputs(inputs)
            targets = self._targets(case, dims, inputs, outputs)
            return PreparedCall(Call(arguments, self.device), targets, {})
        cotangents = self._cotangents(case, dims)
        expected = self._oracle.with_gradients(inputs, case.gradients, cotangents)
        call = Call(arguments, self.device, case.gradients, self._returned_names(cotangents))
        targets = self._targets(case, dims, inputs, dict(expected.outputs))
        return PreparedCall(call, targets, expected.gradients)

    def _targets(
        self, case: Case, dims: Mapping[str, int], inputs: CaseInputs, outputs: dict[str, Tensor]
    ) -> tuple[Target, ...]:
        return tuple(
            self._target(output, case, dims, inputs, outputs[output.name])
            for output in self.problem.outputs
        )

    def _target(
        self,
        output: Output,
        case: Case,
        dims: Mapping[str, int],
        inputs: CaseInputs,
        values: Tensor | None,
    ) -> Target:
        shape = expected_shape(output, dims)
        if values is not None and tuple(values.shape) != shape:
            raise ReferenceFailed(
                f'case "{case.name}": the reference returned {output.name} of shape '
                f"{tuple(values.shape)}, and the problem says {shape}"
            )
        dtype = output.dtype or case.dtype
        tolerance = case.tolerance or self.problem.tolerances.get(dtype, Tolerance(0.0, 0.0))
        scale = 1.0 if values is None else scale_of(output, inputs.tensors)
        return Target(output, shape, dtype, values, tolerance, scale)

    def _cotangents(self, case: Case, dims: Mapping[str, int]) -> dict[str, Tensor]:
        """Random weights for the outputs, in the case's dtype, so that no gradient cancels."""
        rng = generator(self.seed, case.name, -1)
        dtype = getattr(torch, case.dtype)
        return {
            output.name: torch.randn(
                expected_shape(output, dims), generator=rng, dtype=torch.float64
            ).to(dtype)
            for output in self.problem.outputs
            if output.dtype is None
        }

    def _returned_names(self, cotangents: dict[str, Tensor]) -> dict[str, Tensor]:
        """By the name the answer has them under: a lone tensor has none."""
        if self.problem.returns == "dict":
            return cotangents
        return dict.fromkeys([""], next(iter(cotangents.values())))

    def _compare_with_stated(self, prepared: PreparedCase) -> None:
        """Values that the author states must be those of the reference."""
        for target in prepared.main.targets:
            stated = prepared.case.expected.get(target.output.name)
            if stated is None or target.values is None:
                continue
            values = torch.tensor(_numbers(stated.values, prepared.case.dims), dtype=torch.float64)
            found = compare(values.reshape(target.shape), target.values, _STATED, target.scale)
            if not found.passed:
                raise ReferenceFailed(
                    f'case "{prepared.case.name}": the problem states other values for '
                    f"{target.output.name} than the reference gives"
                )


def coarser_tolerance(target: Target, dtype: str | torch.dtype) -> Tolerance:
    """The tolerance of the dtype with fewer digits: the one asked for, or the one returned.

    That the dtype is another has a finding of its own; values are compared as what they are.
    """
    name = str(dtype).removeprefix("torch.")
    if name == target.dtype:
        return target.tolerance
    own = DEFAULT_TOLERANCES.get(name, target.tolerance)
    return Tolerance(max(own.atol, target.tolerance.atol), max(own.rtol, target.tolerance.rtol))


def gradient_scale(expected: Tensor) -> float:
    """Gradients have no natural unit: their tolerance scales with their own RMS (1 when all 0)."""
    return rms([expected]) or 1.0


_STATED = Tolerance(atol=1e-5, rtol=1e-5)
"""A statement's examples are rounded to about six digits."""


def _numbers(values: object, dims: Mapping[str, int]) -> object:
    if isinstance(values, tuple):
        return [_numbers(value, dims) for value in values]
    return values.evaluate(dims)  # type: ignore[attr-defined]
