"""Distributions and expressions as tensors."""

from __future__ import annotations

import pytest
import torch

from grader.problem.expressions import Expression, parse
from grader.problem.model import Constant, Distribution, Normal, PerAxis, Quantity, Uniform, Values
from grader.tensors.draw import Draw, InputError, generator

DIMS = {"layers": 4, "width": 900}
AXES = ("layers", "width")


def make(distribution: Distribution, *shape: int, seed: int = 0) -> torch.Tensor:
    """Return a tensor drawn for a fixed case; its default shape is layers by width."""
    draw = Draw(DIMS, generator(seed, "case", 0))
    return draw.distribution(distribution, AXES[: len(shape) or 2], shape or (4, 900))


def normal(mean: Quantity | float = 0.0, scale: Quantity | float = 1.0) -> Normal:
    """Return a normal distribution; numbers are taken as expressions."""
    return Normal(*(q if isinstance(q, Expression | PerAxis) else parse(q) for q in (mean, scale)))


def per_axis(law: str, *args: float, over: tuple[str, ...] = ("layers",)) -> PerAxis:
    """Return a number that varies along axes."""
    return PerAxis(over, law, tuple(parse(arg) for arg in args))  # type: ignore[arg-type]


def test_a_normal_has_its_mean_and_scale() -> None:
    """Mean and scale may be expressions of the sizes."""
    values = make(normal(parse("layers"), parse("1 / sqrt(width)")))
    assert values.dtype == torch.float64
    assert values.mean().item() == pytest.approx(4, abs=0.005)
    assert values.std().item() == pytest.approx(1 / 30, rel=0.1)


def test_a_scale_along_an_axis_is_one_number_an_entry() -> None:
    """Explicit numbers, one a layer, are the standard deviations of the layers."""
    values = make(normal(scale=per_axis("values", 1, 10, 100, 1000)))
    assert values.std(1).tolist() == pytest.approx([1, 10, 100, 1000], rel=0.15)


def test_a_mean_along_two_axes_varies_along_both() -> None:
    """Without noise, the drawn means are the values."""
    values = make(normal(per_axis("normal", 2, over=AXES), 0.0))
    assert len(set(values.flatten().tolist())) == values.numel()
    assert values.std().item() == pytest.approx(2, rel=0.1)


def test_a_mean_along_one_axis_is_constant_along_the_other() -> None:
    """What varies along layers does not along width."""
    values = make(normal(per_axis("uniform", 5, 6), 0.0))
    assert torch.equal(values, values[:, :1].expand(4, 900))
    assert len(set(values[:, 0].tolist())) == 4
    assert 5 <= values.min().item() <= values.max().item() < 6


def test_log_uniform_is_as_often_small_as_large() -> None:
    """Half the numbers of [0.01, 100] are below 1."""
    values = make(normal(per_axis("log_uniform", 0.01, 100, over=AXES), 0.0))
    assert 0.01 <= values.min().item() <= values.max().item() <= 100
    assert (values < 1).double().mean().item() == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("bounds", [(0, 1), (2, 1), (-1, 1)])
def test_log_uniform_needs_positive_ordered_bounds(bounds: tuple[float, float]) -> None:
    """The logarithm of zero is no bound."""
    with pytest.raises(InputError, match="0 < low <= high"):
        make(normal(scale=per_axis("log_uniform", *bounds)))


def test_uniform_stays_within_its_bounds() -> None:
    """The low bound is included, the high one is not."""
    values = make(Uniform(parse(-1), parse("layers")))
    assert -1 <= values.min().item() <= values.max().item() < 4
    assert values.mean().item() == pytest.approx(1.5, abs=0.1)


def test_a_constant_is_the_same_everywhere() -> None:
    """Infinity is a constant too: masks need it."""
    assert make(Constant(parse("-inf")), 2).tolist() == [-float("inf")] * 2
    assert make(Constant(parse("layers / 8")), 1, 2).tolist() == [[0.5, 0.5]]


def test_explicit_values_are_taken_as_written() -> None:
    """Leaves may be expressions or plain numbers."""
    values = Values(((parse("1/2"), 2), (3, parse("-inf"))))
    assert make(values, 2, 2).tolist() == [[0.5, 2.0], [3.0, -float("inf")]]


def test_explicit_values_may_be_none() -> None:
    """An axis of size 0 takes an empty list."""
    assert make(Values(()), 0, 3).shape == (0, 3)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (((1, 2, 3),), r"shape \[1, 3\], not \[2, 2\]"),
        ((1, 2, 3, 4), r"shape \[4\], not \[2, 2\]"),
        (((1, 2), (3,)), "not nested evenly"),
        ((1, (2,)), "not nested evenly"),
        ((), "0 values are given where 4 are needed"),
    ],
)
def test_explicit_values_must_have_the_shape(values: tuple[object, ...], message: str) -> None:
    """As many elements in another shape are refused as well."""
    with pytest.raises(InputError, match=message):
        make(Values(values), 2, 2)


def test_numbers_along_an_axis_must_be_as_many_as_its_entries() -> None:
    """Three numbers do not fit four layers."""
    with pytest.raises(InputError, match="3 values are given where 4 are needed"):
        make(normal(scale=per_axis("values", 1, 2, 3)))


def test_a_negative_size_is_refused() -> None:
    """An expression can go below zero for small sizes."""
    with pytest.raises(InputError, match="negative size"):
        Draw({"n": 1}, generator(0, "case", 0)).shape([parse("n - 2")])


def test_seed_name_and_call_each_change_the_numbers() -> None:
    """No two of them give the same draw, however they are spelled together."""
    keys = [
        (1, "a", 0),
        (2, "a", 0),
        (1, "b", 0),
        (1, "a", 1),
        (1, "0/a", 0),
        (11, "a", 0),
        (1, "a", 10),
    ]
    draws = {tuple(torch.rand(2, generator=generator(*key)).tolist()) for key in keys}
    assert len(draws) == len(keys)
