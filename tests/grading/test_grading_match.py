"""Tensors found again in others: what counts as the same, as a part, and what does not."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from grader.grading.match import Result, Results, is_uniform, merges

CUBE = torch.arange(24, dtype=torch.float32).reshape(2, 3, 4) + 1
Make = Callable[[Tensor], Tensor]

SAME: list[tuple[str, Make, bool]] = [
    ("itself", lambda cube: cube, True),
    ("in double precision", lambda cube: cube.double(), True),
    ("as integers", lambda cube: cube.long(), True),
    ("axes in another order", lambda cube: cube.permute(2, 0, 1), True),
    ("axes of size one", lambda cube: cube.unsqueeze(1).unsqueeze(-1), True),
    ("neighbouring axes made one", lambda cube: cube.flatten(1), True),
    ("turned and made one", lambda cube: cube.permute(1, 2, 0).flatten(1), True),
    ("all axes made one", lambda cube: cube.flatten(), True),
    ("one axis made two", lambda cube: cube.reshape(2, 3, 2, 2), False),
    ("rounded", lambda cube: cube.half(), True),
    ("elements in another order", lambda cube: cube.flip(0), False),
    ("axes mixed up", lambda cube: cube.reshape(3, 2, 4), False),
    ("the same numbers, sorted otherwise", lambda cube: cube.flatten().flip(0), False),
    ("a little off", lambda cube: cube + 0.01, False),
    ("one element off", lambda cube: cube + (cube == 7), False),
    ("negated", lambda cube: -cube, False),
    ("a part", lambda cube: cube[0], False),
    ("more than it", lambda cube: torch.cat([cube, cube]), False),
    ("NaN", lambda cube: cube * math.nan, False),
    ("one NaN", lambda cube: cube.where(cube != 5, math.nan), False),
    ("infinite", lambda cube: cube * math.inf, False),
    ("nothing", lambda cube: cube[:0], False),
    ("many axes", lambda cube: cube.reshape(1, 2, 3, 2, 2, 1, 1), False),
]
PARTS: list[tuple[str, Make, bool]] = [
    ("a slice", lambda cube: cube[1], True),
    ("a slice along the last axis", lambda cube: cube[..., 2], True),
    ("a slice, turned", lambda cube: cube[1].T, True),
    ("a slice of a slice", lambda cube: cube[0, 1], True),
    ("one element", lambda cube: cube[0, 1, 2], True),
    ("a stretch", lambda cube: cube[:, 1:], True),
    ("a stretch, turned", lambda cube: cube[:, 1:].permute(2, 0, 1), True),
    ("a stretch of one", lambda cube: cube[:, 1:2], True),
    ("stretches of two axes", lambda cube: cube[:, 1:, 1:], False),
    ("a stretch of a slice", lambda cube: cube[0, :, 1:], False),
    ("all of it", lambda cube: cube, False),
    ("more than it", lambda cube: torch.cat([cube, cube]), False),
    ("every second", lambda cube: cube[..., ::2], False),
    ("pieces in another order", lambda cube: cube[:, 1:].flip(1), False),
    ("pieces of two places", lambda cube: torch.stack([cube[0, 0], cube[1, 1]]), False),
    ("other numbers", lambda cube: cube[1] * 2, False),
    ("a number that is not in it", lambda cube: cube[0, 0, 0] + 0.5, False),
    ("NaN", lambda cube: cube[1] * math.nan, False),
    ("nothing", lambda cube: cube[:0], False),
]


@pytest.mark.parametrize(("make", "expected"), [r[1:] for r in SAME], ids=[r[0] for r in SAME])
def test_the_same(make: Make, expected: bool) -> None:
    """The same values, up to the order of axes, axes of size one, and neighbours made one."""
    assert Result(CUBE).has(make(CUBE)) is expected


@pytest.mark.parametrize(("make", "expected"), [r[1:] for r in PARTS], ids=[r[0] for r in PARTS])
def test_a_part(make: Make, expected: bool) -> None:
    """All of it at some places of some axes, or a stretch of one axis: what a loop makes."""
    assert Result(CUBE).has_part(make(CUBE)) is expected


@pytest.mark.parametrize(
    ("dtype", "off", "expected"),
    [
        (torch.float64, 1e-10, True),
        (torch.float64, 1e-6, False),
        (torch.float32, 1e-6, True),
        (torch.float32, 1e-3, False),
        (torch.float16, 1e-3, True),
        (torch.float16, 0.5, False),
    ],
)
def test_the_room_is_that_of_the_dtype(dtype: torch.dtype, off: float, expected: bool) -> None:
    """Formulas round differently; in double precision they hardly do."""
    ones = torch.tensor([1.0, -1.0, 2.0], dtype=torch.float64)
    assert Result(ones).has((ones * (1 + off)).to(dtype)) is expected


def test_the_room_grows_with_the_result() -> None:
    """Among large values a small one is rounded as they are; among small ones it is not."""
    off = torch.tensor([1e-3, 0.0])
    assert Result(torch.tensor([0.0, 1e3], dtype=torch.float64)).has(torch.tensor([1e-3, 1e3]))
    assert not Result(torch.tensor([0.0, 1.0], dtype=torch.float64)).has(off + torch.tensor([0, 1]))


def test_zeros_are_zeros() -> None:
    """A result of nothing but zeros has a scale all the same."""
    assert Result(torch.zeros(2, 3)).has(torch.zeros(3, 2))
    assert not Result(torch.zeros(2, 3)).has(torch.full((3, 2), 0.1))


def test_what_is_not_finite_is_only_itself() -> None:
    """A wrong formula may give NaN or infinity in one place, and is known by it."""
    values = torch.tensor([1.0, math.nan, math.inf], dtype=torch.float64)
    assert Result(values).has(values.float())
    assert not Result(values).has(torch.tensor([1.0, math.inf, math.nan]))
    assert not Result(values).has(torch.tensor([1.0, math.nan, -math.inf]))


def test_any_of_several() -> None:
    """Of like shapes and of others; a part of any, too."""
    found = Results([CUBE, CUBE * 2, CUBE[0] * 3, torch.tensor(5.5)])
    for value in (CUBE, CUBE * 2, CUBE[0].T * 3, torch.tensor([5.5])):
        assert found.has(value)
    assert not found.has(CUBE * 3)
    assert found.has_part(CUBE[1] * 2)
    assert not found.has_part(CUBE[1] * 3)


def test_each_has_its_own_scale() -> None:
    """A large one beside it gives a small one no more room."""
    small = torch.tensor([0.0, 1.0], dtype=torch.float64)
    beside = Results([small, small * 1e6])
    assert not beside.has(torch.tensor([0.1, 1.0]))


def test_none_of_nothing() -> None:
    """No results, or such as have no elements or more axes than any has, are found in nothing."""
    for known in (Results([]), Results([torch.ones(0, 3)]), Results([torch.ones([2] * 6)])):
        for value in (CUBE, torch.ones(0, 3), torch.ones([2] * 6), torch.tensor(1.0)):
            assert not known.has(value)
            assert not known.has_part(value)


@pytest.mark.parametrize("size", [1, 4])
def test_axes_of_one_size_are_tried_in_every_order(size: int) -> None:
    """Where sizes tell nothing, values do."""
    cube = torch.arange(size**4, dtype=torch.float64).reshape([size] * 4)
    assert Result(cube).has(cube.permute(3, 1, 0, 2))
    assert Result(cube).has_part(cube[0].permute(2, 0, 1)) is (size > 1)


def test_a_large_tensor_takes_no_time() -> None:
    """A megabyte that a solution has made, beside results of a small case."""
    known = Results([CUBE, torch.randn(5, 5, 5, 5, generator=torch.Generator().manual_seed(1))])
    started = time.perf_counter()
    for value in (torch.arange(2.0**18), torch.ones(64, 64, 64), torch.ones([2] * 18)):
        assert not known.has(value)
        assert not known.has_part(value)
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (torch.zeros(2, 3), True),
        (torch.full((3,), 0.1), True),
        (torch.tensor(2.0), True),
        (torch.ones(0, 3), True),
        (torch.tensor([1, 1]), True),
        (torch.tensor([1.0, 1.0 + 1e-6]), False),
        (torch.tensor([0.0, -1.0]), False),
        (torch.full((2,), math.nan), False),
    ],
)
def test_is_uniform(value: Tensor, expected: bool) -> None:
    """All elements the same, to the last digit: nothing was computed yet."""
    assert is_uniform(value) is expected


MERGES = [
    ((2, 3, 4), (2, 3, 4), True),
    ((2, 3, 4), (6, 4), True),
    ((2, 3, 4), (2, 12), True),
    ((2, 3, 4), (24,), True),
    ((6, 4), (2, 3, 4), True),
    ((2, 1, 3), (6, 1), True),
    ((2, 3, 4), (4, 6), False),
    ((2, 3, 4), (3, 2, 4), False),
    ((2, 3, 4), (8, 3), False),
    ((2, 6), (4, 3), False),
    ((), (1, 1), True),
    ((2,), (3,), False),
    ((2, 3), (), False),
]


@pytest.mark.parametrize(("shape", "other", "expected"), MERGES)
def test_merges(shape: tuple[int, ...], other: tuple[int, ...], expected: bool) -> None:
    """Neighbours made one, or one made several, keep elements together; all else mixes axes up."""
    assert merges(shape, other) is expected
