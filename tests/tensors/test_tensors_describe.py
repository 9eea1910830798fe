"""Words for dtypes, shapes, numbers, indices and shares."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from grader.tensors.describe import apart, count, fraction, index, number, ordinal, percent, short


@pytest.mark.parametrize(
    ("dtype", "shape", "words"),
    [
        (torch.float32, (2, 3), "f32[2,3]"),
        (torch.float64, (), "f64[]"),
        (torch.float16, (0,), "f16[0]"),
        (torch.bfloat16, torch.Size([1, 4]), "bf16[1,4]"),
        (torch.int64, (7,), "i64[7]"),
        (torch.uint8, (7,), "u8[7]"),
        (torch.bool, (7,), "bool[7]"),
        (torch.complex64, (7,), "c64[7]"),
        (torch.float8_e4m3fn, (7,), "float8_e4m3fn[7]"),
    ],
)
def test_short_names_dtype_and_sizes(
    dtype: torch.dtype, shape: tuple[int, ...], words: str
) -> None:
    """The form is jaxtyping's; a dtype it has no short form for keeps its name."""
    assert short(dtype, shape) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.123456789, "0.123457"),
        (1e-5, "1e-05"),
        (2.0, "2"),
        (-0.0, "0"),
        (math.nan, "NaN"),
        (math.inf, "infinity"),
        (-math.inf, "-infinity"),
        (2**53 + 1, "9007199254740993"),
        (True, "True"),
    ],
)
def test_number_keeps_six_digits_and_whole_numbers(value: float, words: str) -> None:
    """Floats are cut to six digits, integers are not, and what is no number has a word."""
    assert number(value) == words


def test_apart_adds_digits_until_two_numbers_differ() -> None:
    """A message never shows the same digits for two values that are not the same."""
    assert apart(0.21194155, 0.21194175) == ("0.2119416", "0.2119418")
    assert apart(1.0, 2.0) == ("1", "2")


@given(st.floats(), st.floats())
def test_apart_tells_any_two_floats_apart(first: float, second: float) -> None:
    """Seventeen digits are enough for float64."""
    left, right = apart(first, second)
    same = first == second or (math.isnan(first) and math.isnan(second))
    assert (left == right) == same


@pytest.mark.parametrize(
    ("position", "axes", "words"),
    [
        ((2, 0, 4), ("source", "batch", "sequence"), "[source 2, batch 0, sequence 4]"),
        ((2, 0), ("layers + 1", "3"), "[(layers + 1) 2, (3) 0]"),
        ((), (), "[]"),
    ],
)
def test_index_names_its_axes(position: tuple[int, ...], axes: tuple[str, ...], words: str) -> None:
    """An axis that is named by an expression is set in parentheses."""
    assert index(position, axes) == words


def test_index_needs_a_name_for_each_axis() -> None:
    """A missing name is an error of the caller's, not a shorter index."""
    with pytest.raises(ValueError, match="longer"):
        index((1, 2), ("batch",))


@pytest.mark.parametrize(
    ("n", "words"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"),
     (21, "21st"), (102, "102nd"), (111, "111th")],
)  # fmt: skip
def test_ordinal_ends_as_english_does(n: int, words: str) -> None:
    """The teens are the exception."""
    assert ordinal(n) == words


def test_count_agrees_in_number() -> None:
    """One value, two values; a plural of one's own where an s will not do."""
    assert [count(n, "value") for n in (0, 1, 2)] == ["0 values", "1 value", "2 values"]
    assert count(2, "index", "indices") == "2 indices"


@pytest.mark.parametrize(
    ("part", "whole", "words"),
    [
        (12, 480, "2.5 %"),
        (1, 2, "50 %"),
        (479, 480, "99.8 %"),
        (99_999, 100_000, "> 99.9 %"),
        (1, 100_000, "< 0.1 %"),
        (0, 5, "0 %"),
        (5, 5, "100 %"),
        (0, 0, "0 %"),
    ],
)
def test_percent_of(part: int, whole: int, words: str) -> None:
    """One decimal, and no rounding to nothing or everything."""
    assert percent(part, whole) == words


@given(st.integers(0, 10**7), st.integers(1, 10**7))
def test_percent_is_all_or_nothing_only_when_it_is(part: int, whole: int) -> None:
    """Neither 479 of 480 is 100 %, nor 1 of a million 0 %."""
    part = min(part, whole)
    assert (percent(part, whole) == "100 %") == (part == whole)
    assert (percent(part, whole) == "0 %") == (part == 0)


def test_fraction_gives_both() -> None:
    """Count and share in one phrase."""
    assert fraction(12, 480) == "12 of 480 values (2.5 %)"
    assert fraction(1, 1) == "1 of 1 value (100 %)"
