"""Whether each case earns its place, and none is passed by an answer that takes no thought."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import torch
from torch import Tensor

from grader.audit.bench import HALVES, Bench, dtype_of, given
from grader.audit.ways import Way, error_in, outputs_of
from grader.grading.exam import PreparedCase, Target
from grader.grading.search import distance
from grader.problem.model import Case, Problem, TensorInput
from grader.proof import CLEAR, Kill, Mutant, Remark, Weight
from grader.stages import Computation, Evaluation

Outputs = Mapping[str, Tensor | None]


def check_trivial(bench: Bench) -> tuple[list[Kill], list[Remark]]:
    """Answers that take no thought: each must fail in every case that is not an edge case."""
    least: dict[str, dict[str, float]] = {}
    for exam in bench.exams:
        for prepared in bench.valued(exam):
            for target in (each for each in prepared.main.targets if 0 not in each.shape):
                for what, value in _trivial_values(bench.problem, prepared, target):
                    errors = least.setdefault(f"{target.output.name} = {what}", {})
                    error = error_in(target, value)
                    name = prepared.case.name
                    errors[name] = min(error, errors.get(name, math.inf))
    kills = [Kill(row, errors, kind="trivial") for row, errors in least.items()]
    return kills, list(_passed_by(kills, bench.problem.cases))


def check_worth(
    cases: Sequence[Case], kills: Iterable[Kill], mutants: Iterable[Mutant], telling: Iterable[str]
) -> list[Remark]:
    """The cases that have no reason to be there.

    A case has one when learners see it, when it is declared to be about the contract or an edge,
    and when it is the first that clearly refuses a wrong answer, or that tells two mistakes apart
    or a mistake of the contract by its name (`telling`).
    """
    useful = {mutant.killed_by for mutant in mutants} | set(telling)
    for refused in (kill.rejected() for kill in kills):
        useful |= {next((case.name for case in cases if case.name in refused), None)}
    return [
        Remark(
            "case-redundant",
            Weight.WARNING,
            f'case "{case.name}" shows nothing that an earlier case does not show.',
            "take it out, sharpen it, or say its `kind`.",
        )
        for case in cases
        if case.visibility == "hidden" and case.kind == "generic" and case.name not in useful
    ]


def telling_apart(bench: Bench, computation: Computation, ways: Sequence[Way]) -> list[str]:
    """The cases that tell two different mistakes apart which no earlier case does."""
    left = {
        (i, j)
        for i, one in enumerate(ways)
        for j, other in enumerate(ways[:i])
        if one.trap != other.trap
    }
    useful = []
    for prepared in bench.valued(bench.exam):
        if dtype_of(prepared) in HALVES or not left:
            continue
        evaluation = Evaluation(computation, given(bench.problem, prepared), dtype_of(prepared))
        outputs = [outputs_of(prepared, evaluation, way) for way in ways]
        apart = {(i, j) for i, j in left if _differ(prepared, outputs[i], outputs[j])}
        left -= apart
        if apart:
            useful.append(prepared.case.name)
    return useful


def _differ(prepared: PreparedCase, one: Outputs, other: Outputs) -> bool:
    for target in prepared.main.targets:
        first, second = one[target.output.name], other[target.output.name]
        if first is None or second is None:
            if first is not second:
                return True
            continue
        first, second = first.to(torch.float64), second.to(torch.float64)
        if distance(first, second, target.tolerance, target.scale) >= CLEAR:
            return True
    return False


def _trivial_values(
    problem: Problem, prepared: PreparedCase, target: Target
) -> Iterator[tuple[str, Tensor]]:
    """Constants of the right shape, and inputs that have its axes, or what is left of those that
    have more in front."""
    shape = target.shape
    yield "zeros", torch.zeros(shape, dtype=torch.float64)
    yield "ones", torch.ones(shape, dtype=torch.float64)
    summed = target.output.sums_to_one
    if summed is not None:
        size = shape[target.output.axes.index(summed)]
        yield f"1 / {summed}", torch.full(shape, 1 / max(size, 1), dtype=torch.float64)
    axes = tuple(size.text for size in target.output.shape)
    values = {argument.name: argument.value for argument in prepared.main.call.arguments}
    for each in problem.inputs:
        value = values.get(each.name)
        if isinstance(each, TensorInput) and isinstance(value, Tensor):
            yield from _made_of(each, value.to(torch.float64), axes)


def _made_of(
    given: TensorInput, value: Tensor, axes: tuple[str, ...]
) -> Iterator[tuple[str, Tensor]]:
    leading = len(given.axes) - len(axes)
    if leading < 0 or given.axes[leading:] != axes:
        return
    if leading == 0:
        yield given.name, value
        return
    stack = value.flatten(0, leading - 1)
    if len(stack):
        yield f"{given.name}.mean", stack.mean(0)
        yield f"{given.name}.sum", stack.sum(0)
        yield f"{given.name}[0]", stack[0]
        yield f"{given.name}[-1]", stack[-1]


def _passed_by(kills: Iterable[Kill], cases: Sequence[Case]) -> Iterator[Remark]:
    kinds = {case.name: case.kind for case in cases}
    for kill in kills:
        for name, error in kill.cases.items():
            if error <= 1.0 and kinds[name] != "edge":
                yield Remark(
                    "trivial-answer",
                    Weight.FAULT,
                    f'case "{name}" accepts {kill.row}.',
                    "change its inputs, or declare it with `kind: edge`.",
                )
