"""Inputs of a case from a seed: named tensors and numbers, on the CPU (or `meta`, without values).

Everything is drawn and edited in float64 and rounded to its dtype at the end, so that a case is the
same numbers in every dtype. Each call of each case has a generator of its own; torch's global one
is never touched. Not here: expected values, and moving tensors to a device.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor

from grader.problem.expressions import ExpressionError
from grader.problem.model import (
    Case,
    Constant,
    DtypeName,
    Fill,
    Layout,
    Problem,
    ScalarInput,
    TensorInput,
    Uniform,
)
from grader.tensors.draw import Draw, InputError, generator
from grader.tensors.edit import Draft, apply, edit_order
from grader.tensors.layout import lay_out, repeat_first

__all__ = ["DTYPES", "CaseInputs", "InputError", "lay_out", "make_inputs"]

DTYPES: Mapping[DtypeName, torch.dtype] = {
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "float32": torch.float32,
    "float64": torch.float64,
    "int32": torch.int32,
    "int64": torch.int64,
    "bool": torch.bool,
}

_CONTIGUOUS = Layout("contiguous")


@dataclass(frozen=True, slots=True)
class CaseInputs:
    """The arguments of one call, in the order of the parameters.

    A number that the case leaves to the parameter's default is absent from `scalars`.
    """

    tensors: Mapping[str, Tensor]
    scalars: Mapping[str, float | int]


def make_inputs(
    problem: Problem,
    case: Case,
    seed: int,
    *,
    dims: Mapping[str, int] | None = None,
    call: int = 0,
) -> CaseInputs:
    """The inputs of call number `call` of a case; `dims` replaces the case's sizes.

    The same arguments give the same values, whatever was made before. Raises `InputError`, naming
    the case and the input, when the case asks for what cannot be.
    """
    draw = Draw(case.dims if dims is None else dims, generator(seed, case.name, call))
    wanted = [each for each in problem.inputs if isinstance(each, TensorInput)]
    make = _bare_tensors if case.device == "meta" else _tensors
    return CaseInputs(tensors=make(wanted, case, draw), scalars=_scalars(problem, case, draw))


def _tensors(wanted: Sequence[TensorInput], case: Case, draw: Draw) -> dict[str, Tensor]:
    """All are drawn, then all edited, then each rounded and laid out."""
    drafts: dict[str, Draft] = {}
    for each in wanted:
        with _about(case, each.name):
            drafts[each.name] = _draft(each, case, draw)
    for name in edit_order({name: case.fills[name] for name in drafts}):
        with _about(case, name):
            for edit in case.fills[name].edits:
                apply(edit, name, drafts, draw)
    finished = {}
    for each in wanted:
        with _about(case, each.name):
            finished[each.name] = _finish(drafts[each.name].values, each, case)
    return finished


def _bare_tensors(wanted: Sequence[TensorInput], case: Case, draw: Draw) -> dict[str, Tensor]:
    """Shapes, dtypes and layouts alone, on `meta`."""
    bare = {}
    for each in wanted:
        with _about(case, each.name):
            dtype = DTYPES[each.dtype or case.dtype]
            tensor = torch.empty(draw.shape(each.shape), dtype=dtype, device="meta")
            bare[each.name] = lay_out(tensor, _layout(each, case), each.axes)
    return bare


def _scalars(problem: Problem, case: Case, draw: Draw) -> dict[str, float | int]:
    given = {}
    for each in problem.inputs:
        if isinstance(each, ScalarInput) and each.name in case.fills:
            with _about(case, each.name):
                given[each.name] = _scalar(each, case.fills[each.name], draw)
    return given


def _draft(tensor: TensorInput, case: Case, draw: Draw) -> Draft:
    shape = draw.shape(tensor.shape)
    values = draw.distribution(case.fills[tensor.name].distribution, tensor.axes, shape)
    layout = _layout(tensor, case)
    if layout.axis is not None:  # expanded; before any edit, so that copies of it are true copies
        values = repeat_first(values, tensor.axes.index(layout.axis)).clone()
    return Draft(values, tensor.axes)


def _finish(values: Tensor, tensor: TensorInput, case: Case) -> Tensor:
    down = isinstance(case.fills[tensor.name].distribution, Uniform)
    rounded = _round(values, tensor.dtype or case.dtype, down=down)
    return lay_out(rounded, _layout(tensor, case), tensor.axes)


def _round(values: Tensor, dtype: DtypeName, *, down: bool) -> Tensor:
    """The nearest values of the dtype.

    Integers of a uniform draw are rounded down, so that [0, 10) gives 0 to 9, each as often; a
    boolean is the nearer of 0 and 1. Values too large for the dtype are refused, not made infinite.
    """
    if dtype == "bool":
        return values >= 0.5
    if dtype in ("int32", "int64"):
        values = values.floor() if down else values.round()
    rounded = values.to(DTYPES[dtype])
    if rounded.is_floating_point():
        lost = rounded.isfinite() != values.isfinite()
    else:
        lost = rounded != values
    if bool(lost.any()):
        raise InputError(f"{float(values[lost][0]):g} does not fit {dtype}")
    return rounded


def _scalar(parameter: ScalarInput, fill: Fill, draw: Draw) -> float | int:
    """An int where the default is one or, without a default, where it is written as one."""
    if not isinstance(fill.distribution, Constant):
        raise InputError("a number is given as one number or expression")
    value = fill.distribution.value
    if isinstance(parameter.default, int):
        return value.evaluate_int(draw.dims)
    number = draw.number(value)
    whole = parameter.default is None and number.is_integer() and "." not in value.text
    return int(number) if whole else number


def _layout(tensor: TensorInput, case: Case) -> Layout:
    return case.layouts.get(tensor.name, _CONTIGUOUS)


@contextmanager
def _about(case: Case, name: str) -> Iterator[None]:
    """Adds the case and the input to the bare fact that an error states."""
    try:
        yield
    except (InputError, ExpressionError) as error:
        raise InputError(f'case "{case.name}", input "{name}": {error}') from None
