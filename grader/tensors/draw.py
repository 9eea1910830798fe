"""Numbers from a case's words: distributions and expressions to float64 tensors."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from grader.problem.expressions import Expression
from grader.problem.model import (
    Constant,
    Distribution,
    Normal,
    PerAxis,
    Quantity,
    Uniform,
    Values,
)


class InputError(ValueError):
    """A case asks for inputs that cannot be made."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One call's source of numbers: sizes for the expressions, a generator for chance."""

    dims: Mapping[str, int]
    generator: torch.Generator

    def number(self, expression: Expression) -> float:
        return expression.evaluate(self.dims)

    def shape(self, sizes: Sequence[Expression]) -> tuple[int, ...]:
        shape = tuple(size.evaluate_int(self.dims) for size in sizes)
        if any(size < 0 for size in shape):
            raise InputError(f"shape {list(shape)} has a negative size")
        return shape

    def distribution(
        self, distribution: Distribution, axes: Sequence[str], shape: Sequence[int]
    ) -> Tensor:
        """A tensor of that shape, whose axes are named `axes`; float64, contiguous."""
        match distribution:
            case Normal(mean, scale):
                spread = self._quantity(scale, axes, shape)
                centre = self._quantity(mean, axes, shape)
                return self._normal(shape).mul_(spread).add_(centre)
            case Uniform(low, high):
                return self._uniform(self.number(low), self.number(high), shape)
            case Constant(value):
                return torch.full(shape, self.number(value), dtype=torch.float64)
            case Values(values):
                return self._explicit(values, shape)

    def choices(self, count: int, shape: Sequence[int]) -> Tensor:
        """Indices below `count`, each equally likely."""
        return torch.randint(count, shape, generator=self.generator)

    def _normal(self, shape: Sequence[int]) -> Tensor:
        return torch.randn(shape, generator=self.generator, dtype=torch.float64)

    def _uniform(self, low: float, high: float, shape: Sequence[int]) -> Tensor:
        unit = torch.rand(shape, generator=self.generator, dtype=torch.float64)
        return unit.mul_(high - low).add_(low)

    def _log_uniform(self, low: float, high: float, shape: Sequence[int]) -> Tensor:
        if not 0 < low <= high:
            raise InputError(f"log_uniform needs 0 < low <= high, not {low:g} and {high:g}")
        return self._uniform(math.log(low), math.log(high), shape).exp_()

    def _quantity(
        self, quantity: Quantity, axes: Sequence[str], shape: Sequence[int]
    ) -> Tensor | float:
        """A number, or numbers that vary along some axes, shaped to broadcast."""
        if isinstance(quantity, Expression):
            return self.number(quantity)
        return self._per_axis(
            quantity,
            [size if axis in quantity.over else 1 for axis, size in zip(axes, shape, strict=True)],
        )

    def _per_axis(self, quantity: PerAxis, shape: Sequence[int]) -> Tensor:
        arguments = [self.number(argument) for argument in quantity.args]
        match quantity.law:
            case "normal":
                return self._normal(shape).mul_(arguments[0])
            case "uniform":
                return self._uniform(arguments[0], arguments[1], shape)
            case "log_uniform":
                return self._log_uniform(arguments[0], arguments[1], shape)
            case "values":
                return _shaped(torch.tensor(arguments, dtype=torch.float64), shape)

    def _explicit(self, values: Sequence[object], shape: Sequence[int]) -> Tensor:
        try:
            tensor = torch.tensor(self._evaluated(values), dtype=torch.float64)
        except (ValueError, TypeError):  # ragged: torch's words speak of Python sequences
            raise InputError("the values are not nested evenly") from None
        if list(tensor.shape) != list(shape) and tensor.numel():
            raise InputError(f"the values have shape {list(tensor.shape)}, not {list(shape)}")
        return _shaped(tensor, shape)

    def _evaluated(self, values: object) -> object:
        match values:
            case tuple() | list():
                return [self._evaluated(each) for each in values]
            case Expression():
                return self.number(values)
        return values


def generator(seed: int, name: str, call: int) -> torch.Generator:
    """The generator of one call of the case `name`: no other call's or case's numbers matter."""
    digest = hashlib.sha256(f"{seed}/{call}/{name}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:8], "little"))


def _shaped(tensor: Tensor, shape: Sequence[int]) -> Tensor:
    """The tensor in a shape of as many elements."""
    if tensor.numel() != math.prod(shape):
        raise InputError(f"{tensor.numel()} values are given where {math.prod(shape)} are needed")
    return tensor.reshape(tuple(shape))
