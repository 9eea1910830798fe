"""Axes in the wrong order, too many, too few."""

from __future__ import annotations

import math
from itertools import permutations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from grader.problem.model import Tolerance
from grader.tensors.compare import compare, find_permutation, shape_relation

TIGHT = Tolerance(atol=1e-5, rtol=1e-5)
SHAPES = st.lists(st.integers(0, 4), max_size=4).map(tuple)


def numbered(*shape: int) -> torch.Tensor:
    """Return a tensor of that shape whose values are all different."""
    return torch.arange(math.prod(shape), dtype=torch.float64).reshape(shape)


@given(SHAPES, st.randoms(use_true_random=False))
def test_a_permutation_that_is_found_makes_the_values_right(
    shape: tuple[int, ...], random: st.DataObject
) -> None:
    """Whatever the order of axes, what is returned undoes it; right values have none."""
    expected = numbered(*shape)
    order = list(range(len(shape)))
    random.shuffle(order)  # type: ignore[attr-defined]
    actual = expected.permute(order)
    found = find_permutation(actual.float(), expected, TIGHT, 1)
    if actual.shape == expected.shape and compare(actual, expected, TIGHT, 1).passed:
        assert found is None
    else:
        assert found is not None
        assert found != tuple(range(len(shape)))
        assert compare(actual.permute(found), expected, TIGHT, 1).passed


@pytest.mark.parametrize("order", [order for order in permutations(range(3)) if order != (0, 1, 2)])
def test_equal_sizes_do_not_hide_a_permutation(order: tuple[int, int, int]) -> None:
    """A cube's axes can be swapped without changing its shape."""
    found = find_permutation(numbered(3, 3, 3).permute(order), numbered(3, 3, 3), TIGHT, 1)
    assert found is not None
    assert [order[axis] for axis in found] == [0, 1, 2]


def test_the_fewest_moved_axes_are_named() -> None:
    """Where axes of size 1 leave a choice, a swap is told before a rotation."""
    assert find_permutation(numbered(1, 1, 5), numbered(1, 1, 5).permute(2, 0, 1), TIGHT, 1) == (
        2,
        1,
        0,
    )


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (6,), (2, 3, 1), (), (1,) * 7])
def test_other_values_have_no_permutation(shape: tuple[int, ...]) -> None:
    """Neither wrong values nor wrong shapes are called a permutation."""
    assert find_permutation(torch.full(shape, 0.5), numbered(2, 3), TIGHT, 1) is None


def test_nan_has_no_permutation() -> None:
    """NaN is not made right by moving it."""
    actual = numbered(2, 3).T.clone()
    actual[0, 0] = math.nan
    assert find_permutation(actual, numbered(2, 3), TIGHT, 1) is None


def test_whole_numbers_are_permuted_exactly() -> None:
    """Integer outputs have no tolerance here either."""
    expected = numbered(2, 3).long()
    assert find_permutation(expected.T, expected, TIGHT, 1) == (1, 0)
    assert find_permutation((expected + 1).T, expected, Tolerance(9, 9), 1) is None


def test_the_search_gives_up_on_a_tensor_made_to_exhaust_it() -> None:
    """Where every corner agrees, an order far down the list isn't reached."""
    expected = torch.zeros((6,) * 6, dtype=torch.float64)
    expected[0, 1, 2, 3, 4, 5] = 1.0
    assert find_permutation(expected.permute(1, 0, 2, 3, 4, 5), expected, TIGHT, 1) is not None
    assert find_permutation(expected.permute(5, 0, 1, 2, 3, 4), expected, TIGHT, 1) is None


@pytest.mark.parametrize(
    ("actual", "expected", "relation"),
    [
        ((2, 3), (2, 3), "same"),
        ((), (), "same"),
        ((3, 2), (2, 3), "permuted"),
        ((3, 1, 2), (1, 2, 3), "permuted"),
        ((2, 1, 3), (2, 3), "extra_axis"),
        ((2, 3, 7), (2, 3), "unreduced_axis"),
        ((7, 2, 3), (2, 3), "unreduced_axis"),
        ((1, 2, 3, 1), (2, 3), "extra_axis"),
        ((1,), (), "extra_axis"),
        ((2,), (2, 3), "missing_axis"),
        ((2, 3), (1, 2, 3, 1), "missing_axis"),
        ((), (5,), "missing_axis"),
        ((), (2, 3), "other"),
        ((7, 2, 3, 8), (2, 3), "other"),
        ((2, 4), (2, 3), "other"),
        ((6,), (2, 3), "other"),
        ((3, 1, 2), (2, 3), "other"),
    ],
)
def test_shape_relation(actual: tuple[int, ...], expected: tuple[int, ...], relation: str) -> None:
    """What a shape is to the expected one; unsure is `other`."""
    assert shape_relation(actual, expected) == relation


@given(SHAPES, SHAPES)
def test_shape_relations_mirror(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    """What is an extra axis one way is a missing one the other way."""
    mirror = {"extra_axis": "missing_axis", "missing_axis": "extra_axis"}
    relation, back = (
        shape_relation(*pair).replace("unreduced", "extra")
        for pair in [(first, second), (second, first)]
    )
    assert back == mirror.get(relation, relation)
