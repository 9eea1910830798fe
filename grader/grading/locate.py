"""Where a solution goes wrong: its recorded tensors beside the stages of the computation.

A tensor is a stage's result when the values agree up to the order of axes and axes of size one; a
part of one, when it is a slice or a stretch along one axis, as loops make them. Who writes the
computation in another way has no tensor for some stages, so the place is found from both ends: the
last right result before the first wrong one, and from there the first tensor that is nothing known.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import torch
from torch import Tensor

from grader.grading.search import distance
from grader.problem.model import DEFAULT_TOLERANCES, Tolerance
from grader.sandbox.messages import Traced, TraceStep
from grader.stages import Choice, Computation, Evaluation
from grader.tensors.compare import rms

_ROOM = 4.0
_MOST_AXES = 5
_SAYS_NOTHING = frozenset({"empty", "empty_like", "new_empty", "__setitem__", "__getitem__"})
"""Operations whose results are unfinished or mere selections: no mistake by themselves."""


@dataclass(frozen=True, slots=True)
class Place:
    """The first wrong line, the stage that is wrong there, and the last line before that was right.

    `right_stage` is what that line had right.
    """

    line: int | None = None
    stage: str | None = None
    last_right_line: int | None = None
    right_stage: str | None = None


def locate(
    computation: Computation,
    evaluation: Evaluation,
    inputs: Iterable[Tensor],
    traced: Traced,
    choices: Sequence[Choice],
    constants: Mapping[int, float],
) -> Place:
    """Find the place in one case. `choices`: the traps that explain the solution, () if unknown."""
    names = [stage.name for stage in computation.stages]
    right = _results(evaluation, names, (), {})
    steps = traced.steps
    marks = [_right_stages(step.value, right) for step in steps]
    wrong = _changed(right, _results(evaluation, names, choices, constants)) if choices else {}
    known = [*right.values(), *evaluation.waypoints(), *inputs]
    if choices:
        stage: str | None = choices[0].stage
        end = _first_wrong(steps, marks, wrong, known)
        last = max((number for number in range(end) if marks[number]), default=-1)
    else:
        last = _furthest(names, marks)
        end = len(steps) - 1
        stage = _first_unvouched(computation, marks)
    at = _first_unknown(steps, range(last + 1, min(end, len(steps))), known)
    if at is None and 0 <= end < len(steps):
        at = end
    line = traced.returned if at is None else steps[at].line
    # A line that has something right and then goes wrong is not also the last right one.
    right_before = (n for n in range(last, -1, -1) if marks[n] and steps[n].line != line)
    seen = next(right_before, None)
    return Place(
        line=line,
        stage=stage,
        last_right_line=None if seen is None else steps[seen].line,
        right_stage=None if seen is None else max(marks[seen], key=names.index),
    )


def contract_line(checks: Set[str], traced: Traced, dtype: str) -> int | None:
    """The line that breaks the contract, by the checks that failed: where an input is changed or
    precision is lost, else where the call returns."""
    if "mutation" in checks:
        return traced.mutated
    if checks & {"dtype", "precision"}:
        bits = torch.finfo(getattr(torch, dtype)).bits
        lost = (s.line for s in traced.steps if torch.finfo(s.value.dtype).bits < bits)
        return next(lost, traced.returned)
    if checks & {"type", "keys", "shape"}:
        return traced.returned
    return None


def _results(
    evaluation: Evaluation,
    names: Sequence[str],
    choices: Sequence[Choice],
    constants: Mapping[int, float],
) -> dict[str, Tensor]:
    found = {name: evaluation.stage(name, choices, constants) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _changed(right: Mapping[str, Tensor], wrong: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The stages whose result the mistakes change, in order."""
    return {
        name: value
        for name, value in wrong.items()
        if name not in right or not _is_near(value, right[name])
    }


def _right_stages(value: Tensor, right: Mapping[str, Tensor]) -> tuple[str, ...]:
    return tuple(name for name, result in right.items() if is_result(value, result))


def _first_wrong(
    steps: Sequence[TraceStep],
    marks: Sequence[tuple[str, ...]],
    wrong: Mapping[str, Tensor],
    known: Sequence[Tensor],
) -> int:
    """The first tensor that is a wrong result and no right one, or a part of a wrong one and of
    nothing known; the number of steps when there is none.

    A wrong result may well be an input, or a part of what is right: that is what leaving out is.
    """
    for number, step in enumerate(steps):
        if not marks[number] and any(is_result(step.value, each) for each in wrong.values()):
            return number
        if any(is_part(step.value, each) for each in wrong.values()) and not any(
            _is_of(step.value, each) for each in known
        ):
            return number
    return len(steps)


def _furthest(names: Sequence[str], marks: Sequence[tuple[str, ...]]) -> int:
    """Where the latest stage that is seen to be right was reached first; -1 when none is."""
    reached = [(names.index(stage), -n) for n, stages in enumerate(marks) for stage in stages]
    return -max(reached)[1] if reached else -1


def _first_unvouched(computation: Computation, marks: Sequence[tuple[str, ...]]) -> str | None:
    """The first stage that is neither seen to be right nor part of one that is."""
    vouched: set[str] = set()
    for name in {name for stages in marks for name in stages}:
        vouched |= computation.before(name)
    return next((s.name for s in computation.stages if s.name not in vouched), None)


def _first_unknown(steps: Sequence[TraceStep], where: range, known: Sequence[Tensor]) -> int | None:
    for number in where:
        step = steps[number]
        if step.what in _SAYS_NOTHING or _is_uniform(step.value):
            continue
        if not any(_is_of(step.value, result) for result in known):
            return number
    return None


def _is_uniform(value: Tensor) -> bool:
    """All elements the same: zeros to add to, ones, a constant."""
    return value.numel() == 0 or bool((value == value.flatten()[0]).all())


def _is_of(value: Tensor, result: Tensor) -> bool:
    return is_result(value, result) or is_part(value, result)


def is_result(value: Tensor, result: Tensor) -> bool:
    """Whether the values are the result's, up to the order of axes and axes of size one."""
    plain, wanted = value.squeeze(), result.squeeze()
    if sorted(plain.shape) != sorted(wanted.shape) or plain.dim() > _MOST_AXES:
        return False
    return any(_is_near(plain.permute(order), wanted) for order in _orders(plain, wanted))


def is_part(value: Tensor, result: Tensor) -> bool:
    """Whether the values are a slice of the result along one axis, or a stretch of slices."""
    plain, wanted = value.squeeze(), result.squeeze()
    if plain.numel() <= 1 or plain.numel() >= wanted.numel():
        return False
    for axis, size in enumerate(wanted.shape):
        each = wanted.numel() // size
        count, rest = divmod(plain.numel(), each)
        if rest or plain.dim() not in (wanted.dim(), wanted.dim() - 1):
            continue
        for start in range(size - count + 1):
            if is_result(plain, wanted.narrow(axis, start, count)):
                return True
    return False


def _orders(value: Tensor, wanted: Tensor) -> Iterator[tuple[int, ...]]:
    for order in itertools.permutations(range(value.dim())):
        if tuple(value.shape[axis] for axis in order) == tuple(wanted.shape):
            yield order


def _is_near(value: Tensor, wanted: Tensor) -> bool:
    if value.shape != wanted.shape:
        return False
    tolerance = _tolerance(value.dtype)
    scale = rms([wanted]) or 1.0
    return distance(value.to(torch.float64), wanted.to(torch.float64), tolerance, scale) <= _ROOM


def _tolerance(dtype: torch.dtype) -> Tolerance:
    name = str(dtype).removeprefix("torch.")
    return DEFAULT_TOLERANCES.get(name, DEFAULT_TOLERANCES["float32"])
