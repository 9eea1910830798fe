"""Comparison against a plain definition in Python numbers, and its details one by one."""

from __future__ import annotations

import math
from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from grader.problem.expressions import parse
from grader.problem.model import Output, Tolerance
from grader.tensors.compare import Comparison, compare, rms, scale_of

F64 = torch.float64
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
TIGHT = Tolerance(atol=1e-5, rtol=1e-5)
ZERO = Tolerance(atol=0.0, rtol=0.0)

SPECIAL = [math.inf, -math.inf, math.nan, 0.0, -0.0, 1.0, 5e-324, 1e-310, 1e308, -1.7e308, 65504.0]
NUMBERS = st.floats() | st.sampled_from(SPECIAL) | st.floats(-2, 2)
SHAPES = st.lists(st.integers(0, 3), max_size=3)


def right(actual: float, expected: float, tolerance: Tolerance, scale: float) -> bool:
    """Return the definition, for two Python floats."""
    if math.isinf(actual) or math.isinf(expected):
        return actual == expected
    return abs(actual - expected) <= tolerance.atol * scale + tolerance.rtol * abs(expected)


def f64(*values: float) -> Tensor:
    """Return a float64 vector."""
    return torch.tensor(values, dtype=F64)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Tensor, Tensor]:
    """Draw an actual tensor of any float dtype, and expected values equal, near or far."""
    shape = draw(SHAPES)
    size = math.prod(shape)
    values = draw(st.lists(NUMBERS, min_size=size, max_size=size))
    actual = torch.tensor(values, dtype=F64).to(draw(st.sampled_from(FLOATS))).reshape(shape)
    expected = actual.to(F64).clone()
    nudges = draw(st.lists(st.sampled_from([0, 1e-7, 1e-5, 1e-3]), min_size=size, max_size=size))
    expected *= 1 + torch.tensor(nudges, dtype=F64).reshape(shape)
    if size and draw(st.booleans()):
        expected.view(-1)[draw(st.integers(0, size - 1))] = draw(NUMBERS)
    return actual, expected


@given(pairs(), st.sampled_from([TIGHT, ZERO, Tolerance(1e-2, 0.0)]), st.sampled_from([1, 1e-300]))
def test_every_value_is_judged_by_the_definition(
    pair: tuple[Tensor, Tensor], tolerance: Tolerance, scale: float
) -> None:
    """Counts, places, values and ratio are those of the definition applied one by one."""
    actual, expected = pair
    result = compare(actual, expected, tolerance, scale)
    bad = [
        place
        for place in product(*(range(n) for n in actual.shape))
        if not right(actual[place].item(), expected[place].item(), tolerance, scale)
    ]
    assert result.total == actual.numel()
    assert result.wrong == len(bad)
    assert result.passed == (not bad)
    assert result.first_bad == (bad[0] if bad else None)
    assert result.first_nan == next((p for p in bad if actual[p].isnan()), None)
    assert result.first_inf == next((p for p in bad if actual[p].isinf()), None)
    assert (result.largest_ratio <= 1) == result.passed
    assert result.nan == actual.isnan().sum()
    assert result.inf == sum(bool(actual[place].isinf()) for place in bad)
    assert result.worst is None if result.passed else result.worst in bad


@given(pairs())
def test_memory_layout_and_gradients_change_nothing(pair: tuple[Tensor, Tensor]) -> None:
    """A transposed, strided tensor that requires a gradient is compared by its values."""
    actual, expected = pair
    backwards = tuple(reversed(range(actual.ndim)))
    other = torch.stack([actual, actual + 1], dim=-1)[..., 0]
    other = other.permute(backwards).clone(memory_format=torch.contiguous_format).permute(backwards)
    plain, odd = (
        compare(actual, expected, TIGHT, 1),
        compare(other.requires_grad_(), expected, TIGHT, 1),
    )
    assert repr(plain) == repr(odd)  # by their words: NaN is not equal to itself


@given(pairs())
def test_comparing_changes_neither_tensor(pair: tuple[Tensor, Tensor]) -> None:
    """The work is done in tensors of its own."""
    before = [repr(tensor) for tensor in pair]
    compare(*pair, TIGHT, 1)
    assert [repr(tensor) for tensor in pair] == before


@given(pairs(), st.data())
def test_one_nan_fails_any_tensor(pair: tuple[Tensor, Tensor], data: st.DataObject) -> None:
    """NaN is never right, wherever it is, and whatever else is."""
    actual, _ = pair
    if actual.numel() == 0:
        return
    actual.view(-1)[data.draw(st.integers(0, actual.numel() - 1))] = math.nan
    result = compare(actual, actual.to(F64), Tolerance(math.inf, math.inf), 1)
    assert not result.passed
    assert result.largest_ratio == math.inf


def test_shapes_that_broadcast_are_not_compared() -> None:
    """A row is not a matrix; neither is a column a row."""
    for shape in ((3,), (1, 3), (2, 1), ()):
        with pytest.raises(ValueError, match="shapes differ"):
            compare(torch.zeros(shape), torch.zeros(2, 3, dtype=F64), TIGHT, 1)


@pytest.mark.parametrize("shape", [(0,), (2, 0, 3)])
def test_no_values_pass(shape: tuple[int, ...]) -> None:
    """Nothing is wrong where nothing is."""
    assert compare(torch.zeros(shape), torch.zeros(shape, dtype=F64), TIGHT, 1) == Comparison(0)


def test_a_number_without_axes_has_the_empty_index() -> None:
    """Its first and worst place is ()."""
    result = compare(torch.tensor(2.0), torch.tensor(1.0, dtype=F64), TIGHT, 1)
    assert (result.first_bad, result.worst, result.expected, result.actual) == ((), (), 1.0, 2.0)


def test_the_worst_is_the_largest_share_of_what_is_allowed() -> None:
    """An error of 0.5 at 0 is worse than one of 1 at a million."""
    result = compare(f64(1, 1e6 + 11, 0.5), f64(1, 1e6, 0), TIGHT, 1)
    assert result == Comparison(
        total=3,
        wrong=2,
        first_bad=(1,),
        worst=(2,),
        expected=0.0,
        actual=0.5,
        allowed=1e-5,
        largest_ratio=0.5 / 1e-5,
    )


def test_infinities_are_right_only_where_expected() -> None:
    """The same sign passes, the other sign, a number for one and one for a number do not."""
    expected = f64(math.inf, -math.inf, math.inf, -math.inf, 1)
    result = compare(f64(math.inf, math.inf, 1e308, -math.inf, math.inf), expected, TIGHT, 1)
    assert (result.wrong, result.inf, result.nan, result.worst) == (3, 2, 0, (1,))
    assert result.allowed == 1e-5
    assert compare(expected, expected, ZERO, 1).passed


def test_an_infinite_error_is_never_allowed() -> None:
    """Not even by an infinite tolerance, or one that overflows."""
    for tolerance, scale in ((Tolerance(math.inf, 0), 1.0), (Tolerance(1e300, 0), 1e300)):
        assert compare(f64(5), f64(1), tolerance, scale).passed
        assert not compare(f64(math.inf), f64(1), tolerance, scale).passed
        assert not compare(f64(1), f64(-math.inf), tolerance, scale).passed


def test_the_error_is_measured_in_float64() -> None:
    """An overflow of the difference, or of a square, in the dtype itself plays no part."""
    assert compare(torch.tensor([65504.0]).half(), f64(65504), ZERO, 1).passed
    assert not compare(torch.tensor([65504.0]).half(), f64(-65504), TIGHT, 1).passed
    assert not compare(f64(1.7e308), f64(-1.7e308), TIGHT, 1).passed
    assert not compare(torch.tensor([1.0]).bfloat16(), f64(1.001), TIGHT, 1).passed


def test_subnormals_are_not_zero() -> None:
    """Values far below the smallest normal number are told apart."""
    assert not compare(f64(5e-324), f64(0), ZERO, 1).passed
    assert not compare(torch.tensor([1e-45]), f64(0), Tolerance(1e-5, 0), 1e-42).passed
    assert compare(f64(5e-324), f64(5e-324), ZERO, 1).passed


def test_the_limit_itself_is_right() -> None:
    """The bound is inclusive, and a bound met exactly has ratio 1."""
    result = compare(f64(1.5), f64(1), Tolerance(0.5, 0), 1)
    assert (result.passed, result.largest_ratio) == (True, 1.0)
    assert not compare(f64(math.nextafter(1.5, 2)), f64(1), Tolerance(0.5, 0), 1).passed


def test_scale_widens_only_the_absolute_part() -> None:
    """`atol * scale + rtol * |expected|`."""
    assert compare(f64(1.9), f64(1), Tolerance(0.1, 0), 10).passed
    assert not compare(f64(1.9), f64(1), Tolerance(0, 0.1), 10).passed


@pytest.mark.parametrize(
    "dtype", [torch.int64, torch.int32, torch.uint8, torch.float16, torch.float64, torch.complex64]
)
def test_whole_numbers_are_compared_exactly(dtype: torch.dtype) -> None:
    """No tolerance, in whichever dtype the values come."""
    expected = torch.tensor([[1, 2], [3, 0]])
    assert compare(expected.to(dtype), expected, Tolerance(9, 9), 9).passed
    result = compare((expected + torch.tensor([0, 1])).to(dtype), expected, Tolerance(9, 9), 9)
    assert (result.wrong, result.first_bad, result.allowed) == (2, (0, 1), 0.0)
    assert result.largest_ratio == math.inf


def test_whole_numbers_beyond_float64_are_told_apart() -> None:
    """2**53 + 1 is not 2**53, nor 2**64 - 1 the same as -1; they are quoted exactly."""
    result = compare(torch.tensor([0, 2**53]), torch.tensor([0, 2**53 + 1]), TIGHT, 1)
    assert (result.wrong, result.worst, result.expected) == (1, (1,), 2**53 + 1)
    unsigned = torch.tensor([-1]).view(torch.uint64)
    assert not compare(unsigned, torch.tensor([-1]), TIGHT, 1).passed


@given(st.lists(st.booleans(), min_size=1), st.data())
def test_booleans_are_compared_exactly(values: list[bool], data: st.DataObject) -> None:
    """One flipped value is one wrong value."""
    expected = torch.tensor(values)
    actual = expected.clone()
    place = data.draw(st.integers(0, len(values) - 1))
    actual[place] = not values[place]
    assert compare(expected, expected, TIGHT, 1).passed
    result = compare(actual, expected, Tolerance(9, 9), 1)
    assert (result.wrong, result.first_bad, result.actual) == (1, (place,), not values[place])


def test_complex_numbers_are_right_only_when_real() -> None:
    """The imaginary part is not dropped."""
    expected = f64(1, 2)
    assert compare(torch.tensor([1 + 0j, 2 + 0j]), expected, TIGHT, 1).passed
    assert compare(torch.tensor([1 + 1j, 2 + 0j]), expected, TIGHT, 1).wrong == 1


def test_rms_is_of_all_elements_together() -> None:
    """Tensors of any dtype count by their elements, not one by one."""
    assert rms([torch.tensor([3.0]), torch.tensor([[4, 0], [0, 0]])]) == pytest.approx(math.sqrt(5))


def test_rms_of_nothing_is_zero() -> None:
    """Neither no tensors nor tensors without elements have a size."""
    assert rms([]) == rms([torch.empty(0, 3)]) == rms([torch.zeros(3)]) == 0.0


@given(st.floats(1e-320, 1e308), st.integers(1, 5))
def test_rms_neither_overflows_nor_underflows(value: float, count: int) -> None:
    """Equal values have their own size, however large or small."""
    assert rms([torch.full((count,), -value, dtype=F64)]) == pytest.approx(value)


def output(*scale_inputs: str) -> Output:
    """Return an output whose tolerance scales with these inputs."""
    return Output("y", (parse("n"),), ("n",), scale_inputs=scale_inputs)


def test_scale_of_an_output_is_the_rms_of_its_inputs() -> None:
    """Only the inputs it names count; none named is 1."""
    tensors = {"a": torch.full((4,), 3.0), "b": torch.full((2, 2), 4.0), "c": torch.ones(9)}
    assert scale_of(output("a", "b"), tensors) == pytest.approx(math.sqrt(12.5))
    assert scale_of(output(), tensors) == 1.0


@pytest.mark.parametrize("value", [0.0, math.inf, math.nan])
def test_scale_is_never_zero_nor_infinite(value: float) -> None:
    """Zero would let rounding fail, infinity would let everything pass."""
    assert scale_of(output("a"), {"a": torch.full((2,), value)}) == 1.0
