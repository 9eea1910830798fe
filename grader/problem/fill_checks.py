"""Checks of how inputs are made: numbers that exist, axes that exist, values and slices that fit.

They are made for the sizes of one call, so that a mistake is found while loading, not in the middle
of a grade.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grader.problem.expressions import Expression, ExpressionError
from grader.problem.mistakes import Mistakes
from grader.problem.schema import AlignFile, CopyFile, FillFile, PerAxisFile, QuantityFile
from grader.problem.yaml12 import KeyPath


@dataclass(frozen=True, slots=True)
class Shape:
    """A tensor of one call: its axes by name, and their sizes."""

    axes: tuple[str, ...]
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """What the fills of one call may refer to.

    `dim_names` and `tensors` (its tensor inputs) are of the whole problem; `dims` and `shapes` are
    of this call, and lack what has no sound size.
    """

    case: str
    dims: Mapping[str, int]
    dim_names: frozenset[str]
    tensors: frozenset[str]
    shapes: Mapping[str, Shape]
    mistakes: Mistakes

    def number(self, path: KeyPath, expression: Expression) -> float | None:
        """Return the value of an expression; what prevents it is noted."""
        for name in sorted(expression.names - self.dim_names):
            of = f' in "{expression.text}"'
            self.mistakes.unknown_value(path, "dim", name, self.dim_names, of=of)
        if not expression.names <= self.dims.keys():
            return None
        try:
            return expression.evaluate(self.dims)
        except ExpressionError as error:
            self.mistakes.add(path, f'{error} in case "{self.case}"')
            return None

    def finite(self, path: KeyPath, expression: Expression) -> float | None:
        """Return the value of an expression that must not be infinite."""
        value = self.number(path, expression)
        if value is not None and math.isinf(value):
            self.mistakes.add(path, f'"{expression.text}" is not finite, as it must be here')
            return None
        return value

    def axis(self, path: KeyPath, shape: Shape, axis: str, *, at_key: bool = False) -> int | None:
        """Return the position of an axis by name."""
        if axis not in shape.axes:
            if at_key:
                self.mistakes.unknown(path, "axis", shape.axes)
            else:
                self.mistakes.unknown_value(path, "axis", axis, shape.axes)
            return None
        if shape.axes.count(axis) > 1:
            self.mistakes.add(path, f'"{axis}" is more than one axis of this input')
            return None
        return shape.axes.index(axis)

    def tensor(self, path: KeyPath, name: str) -> None:
        """Note a name that is none of a tensor input."""
        if name not in self.tensors and not self.mistakes.touched("inputs", name):
            self.mistakes.unknown_value(path, "tensor input", name, self.tensors)


def check_scalar(call: Call, path: KeyPath, fill: FillFile) -> None:
    """Check the fill of a scalar: one number."""
    if fill.constant is None or fill.set_ or fill.copy_ or fill.align:
        call.mistakes.add(path, f'"{path[-1]}" is a scalar', "write a number or an expression")
        return
    call.number((*path, "constant"), fill.constant)


def check_tensor(call: Call, path: KeyPath, name: str, fill: FillFile) -> None:
    """Check the fill of a tensor: its distribution, then its edits."""
    _check_distribution(call, path, call.shapes[name], fill)
    for index, edit in enumerate(fill.set_):
        _sliced(call, (*path, "set", index, "at"), call.shapes[name], edit.at)
        call.number((*path, "set", index, "value"), edit.value)
    for index, copy in enumerate(fill.copy_):
        _check_copy(call, (*path, "copy", index), name, copy)
    for index, align in enumerate(fill.align):
        _check_align(call, (*path, "align", index), name, align)


def misfit(values: object, sizes: tuple[int, ...], at: KeyPath = ()) -> tuple[KeyPath, str] | None:
    """Return where nested values first differ from a shape, and how; None when they fit."""
    if not isinstance(values, tuple):
        return (at, f"a number stands where a list of {sizes[0]} belongs") if sizes else None
    if not sizes:
        return at, "a list stands where a number belongs"
    if len(values) != sizes[0]:
        return at, f"a list of {len(values)} stands where a list of {sizes[0]} belongs"
    found = (misfit(item, sizes[1:], (*at, index)) for index, item in enumerate(values))
    return next((difference for difference in found if difference), None)


def _check_distribution(call: Call, path: KeyPath, shape: Shape, fill: FillFile) -> None:
    if fill.normal is not None:
        _check_quantity(call, (*path, "normal", "scale"), shape, fill.normal.scale)
        _check_quantity(call, (*path, "normal", "mean"), shape, fill.normal.mean)
    elif fill.uniform is not None:
        _check_range(call, (*path, "uniform"), fill.uniform)
    elif fill.constant is not None:
        call.number((*path, "constant"), fill.constant)
    elif not shape.sizes:
        help = "write `constant`"
        call.mistakes.add((*path, "values"), "a tensor without axes has no list of values", help)
    elif difference := misfit(fill.values, shape.sizes):
        message = f'{difference[1]} for these sizes, in case "{call.case}"'
        call.mistakes.add((*path, "values", *difference[0]), message)


def _check_quantity(call: Call, path: KeyPath, shape: Shape, quantity: QuantityFile) -> None:
    if isinstance(quantity, Expression):
        call.finite(path, quantity)
        return
    axes = [
        call.axis((*path, "over", index), shape, axis) for index, axis in enumerate(quantity.over)
    ]
    if quantity.normal is not None:
        call.finite((*path, "normal"), quantity.normal)
    elif quantity.uniform is not None:
        _check_range(call, (*path, "uniform"), quantity.uniform)
    elif quantity.log_uniform is not None:
        _check_range(call, (*path, "log_uniform"), quantity.log_uniform, above=0.0)
    else:
        _check_entries(
            call, path, [shape.sizes[axis] for axis in axes if axis is not None], quantity
        )


def _check_entries(call: Call, path: KeyPath, sizes: list[int], quantity: PerAxisFile) -> None:
    values = quantity.values or []
    for index, value in enumerate(values):
        call.finite((*path, "values", index), value)
    if len(quantity.over) > 1:
        call.mistakes.add((*path, "over"), "`values` vary over one axis only")
    elif sizes and len(values) != sizes[0]:
        message = f'{len(values)} values for an axis of {sizes[0]}, in case "{call.case}"'
        call.mistakes.add((*path, "values"), message)


def _check_range(
    call: Call, path: KeyPath, pair: list[Expression], above: float = -math.inf
) -> None:
    low, high = (call.finite((*path, index), bound) for index, bound in enumerate(pair))
    if low is None or high is None:
        return
    if low <= above:
        call.mistakes.add((*path, 0), f"the range must lie above {above:g}, and begins at {low:g}")
    if low > high:
        call.mistakes.add(path, f"the range goes from {low:g} down to {high:g}")


def _sliced(
    call: Call, path: KeyPath, shape: Shape, at: Mapping[str, int]
) -> tuple[int, ...] | None:
    """Return the sizes that a slice leaves, None after a mistake."""
    positions = {}
    for axis, index in at.items():
        position = call.axis((*path, axis), shape, axis, at_key=True)
        if position is None:
            return None
        size = shape.sizes[position]
        if not -size <= index < size:
            message = (
                f'index {index} is outside axis "{axis}" of size {size}, in case "{call.case}"'
            )
            call.mistakes.add((*path, axis), message)
            return None
        positions[position] = index
    return tuple(size for position, size in enumerate(shape.sizes) if position not in positions)


def _check_copy(call: Call, path: KeyPath, name: str, copy: CopyFile) -> None:
    origin = call.shapes.get(copy.of or name)
    if origin is None:
        call.tensor((*path, "of"), copy.of)
        return
    to = _sliced(call, (*path, "to"), call.shapes[name], copy.to)
    source = _sliced(call, (*path, "from"), origin, copy.source)
    if to is not None and source is not None and to != source:
        message = f"a slice of sizes {_sizes(source)} does not fit one of sizes {_sizes(to)}"
        call.mistakes.add(path, message)


def _check_align(call: Call, path: KeyPath, name: str, align: AlignFile) -> None:
    shape, along = call.shapes[name], call.shapes.get(align.along)
    call.finite((*path, "amount"), align.amount)
    position = call.axis((*path, "one_of"), shape, align.one_of)
    if along is None:
        call.tensor((*path, "along"), align.along)
    elif position is not None:
        for message in _misaligned(shape, along, position):
            call.mistakes.add(path, message)


def _misaligned(shape: Shape, along: Shape, position: int) -> Iterator[str]:
    if position == len(shape.axes) - 1:
        yield "`one_of` must not be the last axis, along which the input is added"
        return
    rest = shape.sizes[:position] + shape.sizes[position + 1 :]
    if not along.sizes or along.sizes != rest[-len(along.sizes) :]:
        yield f"an input of sizes {_sizes(along.sizes)} does not fit the last of {_sizes(rest)}"


def _sizes(sizes: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, sizes))}]"
