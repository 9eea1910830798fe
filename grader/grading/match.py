"""Is this recorded tensor a result that is known? Up to what people may choose freely.

A tensor is the same as a result when the values agree up to the order of axes, axes of size one and
neighbouring axes made one; it is a part when it is the result at some places of some axes, or at a
stretch of one: loops make such. Formulas round differently, so the room is that of the dtype, and a
little more.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

import torch
from torch import Tensor

from grader.problem.model import DEFAULT_TOLERANCES
from grader.tensors.compare import rms

_ROOM = 4.0
_MOST_AXES = 5
_MOST_PLACES = 4096


class Results:
    """Known tensors, prepared to be found again in others; those of one shape are one stack."""

    def __init__(self, values: Iterable[Tensor]) -> None:
        by_shape: dict[tuple[int, ...], list[Tensor]] = {}
        for value in values:
            plain = value.detach().to(torch.float64).squeeze()
            if plain.dim() <= _MOST_AXES and plain.numel():
                by_shape.setdefault(tuple(plain.shape), []).append(plain)
        self._stacks = [_Stack(torch.stack(alike)) for alike in by_shape.values()]

    def has(self, value: Tensor) -> bool:
        """Whether it is one of them, up to order of axes, axes of size one, and axes made one."""
        plain = value.squeeze()
        return any(stack.has(plain) for stack in self._stacks)

    def has_part(self, value: Tensor) -> bool:
        """Whether its values are those of one of them at some places of some axes, or at a stretch
        of one axis."""
        plain = value.squeeze()
        return any(stack.has_part(plain) for stack in self._stacks)


class Result(Results):
    """One known tensor."""

    def __init__(self, value: Tensor) -> None:
        super().__init__([value])
        self.value = value


class _Stack:
    """Tensors of one shape along a new first axis."""

    def __init__(self, values: Tensor) -> None:
        self._values = values
        self._scales = torch.tensor([rms([value]) or 1.0 for value in values], dtype=torch.float64)
        self._shape = tuple(values.shape[1:])
        self._numel = math.prod(self._shape)

    def has(self, plain: Tensor) -> bool:
        if plain.numel() != self._numel:
            return False
        if plain.dim() == len(self._shape):
            orders = _orders(self._shape, plain.shape)
        else:
            orders = _merged(self._shape, plain.shape)
        return any(self._agrees(plain, self._turned(order, plain.shape)) for order in orders)

    def has_part(self, plain: Tensor) -> bool:
        if not 0 < plain.numel() < self._numel or plain.dim() > len(self._shape):
            return False
        return any(self._agrees(plain, places) for places in self._places(plain))

    def _turned(self, order: Sequence[int], shape: Sequence[int]) -> Tensor:
        turned = self._values.permute(0, *(axis + 1 for axis in order))
        return turned.reshape(len(turned), 1, *shape)

    def _places(self, plain: Tensor) -> Iterator[Tensor]:
        """What of the results has the shape of `plain`: (results, places, *shape of plain)."""
        sizes = self._shape
        for axes in itertools.permutations(range(len(sizes)), plain.dim()):
            short = [n for n, axis in enumerate(axes) if sizes[axis] != plain.shape[n]]
            if len(short) > 1 or any(plain.shape[n] > sizes[axes[n]] for n in short):
                continue
            rest = [axis for axis in range(len(sizes)) if axis not in axes]
            if short and rest:  # at one place of one axis, and a stretch of another
                continue
            turned = self._values.permute(0, *(axis + 1 for axis in (*rest, *axes)))
            if short:
                axis = 1 + short[0]
                turned = turned.unfold(axis, plain.shape[short[0]], 1).movedim(axis, 1)
                turned = turned.movedim(-1, axis + 1)
            places = turned.reshape(len(turned), -1, *plain.shape)
            if places.shape[1] <= _MOST_PLACES:
                yield places

    def _agrees(self, plain: Tensor, wanted: Tensor) -> bool:
        """Whether it agrees with one place of one of the results."""
        name = str(plain.dtype).removeprefix("torch.")
        tolerance = DEFAULT_TOLERANCES.get(name, DEFAULT_TOLERANCES["float32"])
        actual = plain.to(torch.float64)
        scales = self._scales.reshape(-1, *(1 for _ in wanted.shape[1:]))
        room = _ROOM * (tolerance.atol * scales + tolerance.rtol * wanted.abs())
        near = (actual - wanted).abs() <= room
        near |= (actual == wanted) | (actual.isnan() & wanted.isnan())
        return bool(near.flatten(0, 1).reshape(near.shape[0] * near.shape[1], -1).all(1).any())


def is_uniform(value: Tensor) -> bool:
    """All elements the same: zeros to add to, ones, a constant."""
    return value.numel() == 0 or bool((value == value.flatten()[0]).all())


def merges(shape: Sequence[int], other: Sequence[int]) -> bool:
    """Whether one shape comes of the other by making neighbouring axes one, in either direction;
    axes of size one apart."""
    one, two = ([size for size in each if size != 1] for each in (shape, other))
    return _is_merged(one, two) or _is_merged(two, one)


def _orders(shape: Sequence[int], wanted: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The orders of axes that give a shape."""
    for order in itertools.permutations(range(len(shape))):
        if tuple(shape[axis] for axis in order) == tuple(wanted):
            yield order


def _merged(shape: Sequence[int], wanted: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The orders of axes from which a shape comes by making neighbours one."""
    if len(wanted) >= len(shape):
        return
    for order in itertools.permutations(range(len(shape))):
        if _is_merged([shape[axis] for axis in order], wanted):
            yield order


def _is_merged(sizes: Sequence[int], wanted: Sequence[int]) -> bool:
    rest = list(sizes)
    for size in wanted:
        product = 1
        while product < size and rest:
            product *= rest.pop(0)
        if product != size:
            return False
    return not rest
