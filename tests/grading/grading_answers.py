"""Answers of a solution of the small problem, as the sandbox would give them: right ones, to be
spoilt by a test."""

from __future__ import annotations

from torch import Tensor

from grader.grading.exam import Exam, PreparedCall
from grader.problem.model import Case, Problem
from grader.sandbox.messages import Answer, DictValue, TensorValue, Value


def case_of(problem: Problem, name: str) -> Case:
    return next(case for case in problem.cases if case.name == name)


def call_of(exam: Exam, name: str) -> PreparedCall:
    """The call that counts of the case of this name."""
    return exam.prepared(case_of(exam.problem, name)).main


def tensor(data: Tensor, device: str = "cpu", defect: str = "") -> TensorValue:
    """A tensor as it arrives; one with a defect has no data."""
    dtype = str(data.dtype).removeprefix("torch.")
    return TensorValue(dtype, tuple(data.shape), device, None if defect else data, defect)


def right(prepared: PreparedCall) -> dict[str, Tensor]:
    """What the call should give, in the dtype in which it should be given."""
    return {
        target.output.name: target.values.to(prepared.call.arguments[0].value.dtype)  # type: ignore[union-attr]
        for target in prepared.targets
        if target.values is not None
    }


def answer(values: dict[str, Tensor | Value], mutated: tuple[str, ...] = ()) -> Answer:
    """A dict of these values, returned; tensors are wrapped."""
    items = tuple(
        (name, tensor(value) if isinstance(value, Tensor) else value)
        for name, value in values.items()
    )
    return Answer(DictValue(items), mutated)
