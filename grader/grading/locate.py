"""Where a solution goes wrong: its recorded tensors beside the stages of the computation.

A tensor is a stage's result when the values agree up to the order of axes and axes of size one; a
part of one, when it is a slice along one axis, as loops make them. Who writes the computation in
another way has no tensor for some stages: a stage that is seen to be right vouches for all it is
made of.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from grader.grading.search import distance
from grader.problem.model import DEFAULT_TOLERANCES, Tolerance
from grader.stages import Choice, Computation, Evaluation
from grader.tensors.compare import rms

_ROOM = 4.0
_MOST_AXES = 5


@dataclass(frozen=True, slots=True)
class Recorded:
    """A tensor that a line of the solution made: by a call, or bound to a name."""

    line: int
    what: str
    value: Tensor


@dataclass(frozen=True, slots=True)
class Place:
    """The first wrong line, the stage that is wrong there, and the last line before that was right.

    `right_stage` is what that line had right.
    """

    line: int | None
    stage: str | None
    last_right_line: int | None
    right_stage: str | None


def locate(
    computation: Computation,
    evaluation: Evaluation,
    recorded: Sequence[Recorded],
    choices: Sequence[Choice],
    constants: Mapping[int, float],
) -> Place:
    """Find the place in one case. `choices`: the traps that explain the solution, () if unknown."""
    names = [stage.name for stage in computation.stages]
    right = _results(evaluation, names, (), {})
    marks = [_right_stages(each.value, right) for each in recorded]
    if choices:
        wrong = _changed(right, _results(evaluation, names, choices, constants))
        at = _first_match(recorded, marks, wrong)
    else:
        at = _after_right(computation, marks)
    before = range(len(recorded) if at is None else at[0])
    last = max((i for i in before if marks[i]), default=None)
    return Place(
        line=None if at is None else recorded[at[0]].line,
        stage=None if at is None else at[1],
        last_right_line=None if last is None else recorded[last].line,
        right_stage=None if last is None else max(marks[last], key=names.index),
    )


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


def _first_match(
    recorded: Sequence[Recorded],
    marks: Sequence[tuple[str, ...]],
    wrong: Mapping[str, Tensor],
) -> tuple[int, str] | None:
    """The first tensor that is the earliest wrong stage's, or a part of it; else a later one's."""
    for name, result in wrong.items():
        for matches in (is_result, is_part):
            for number, each in enumerate(recorded):
                if not marks[number] and matches(each.value, result):
                    return number, name
    return None


def _after_right(
    computation: Computation, marks: Sequence[tuple[str, ...]]
) -> tuple[int, str] | None:
    """The first tensor after the last right one; the first stage that no right one vouches for."""
    vouched: set[str] = set()
    for stages in marks:
        for name in stages:
            vouched |= computation.before(name)
    missing = [stage.name for stage in computation.stages if stage.name not in vouched]
    last = max((number for number, stages in enumerate(marks) if stages), default=-1)
    if not missing or last + 1 >= len(marks):
        return None
    return last + 1, missing[0]


def is_result(value: Tensor, result: Tensor) -> bool:
    """Whether the values are the result's, up to the order of axes and axes of size one."""
    plain, wanted = value.squeeze(), result.squeeze()
    if sorted(plain.shape) != sorted(wanted.shape) or plain.dim() > _MOST_AXES:
        return False
    return any(_is_near(plain.permute(order), wanted) for order in _orders(plain, wanted))


def is_part(value: Tensor, result: Tensor) -> bool:
    """Whether the values are a slice of the result along one axis."""
    plain = value.squeeze()
    if plain.numel() <= 1:
        return False
    wanted = result.squeeze()
    for axis, size in enumerate(wanted.shape):
        if plain.numel() * size != wanted.numel():
            continue
        if any(is_result(plain, part) for part in wanted.unbind(axis)):
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
    return distance(value.to(torch.float64), wanted, tolerance, scale) <= _ROOM


def _tolerance(dtype: torch.dtype) -> Tolerance:
    name = str(dtype).removeprefix("torch.")
    return DEFAULT_TOLERANCES.get(name, DEFAULT_TOLERANCES["float32"])
