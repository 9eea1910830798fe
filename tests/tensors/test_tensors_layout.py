"""Memory layouts: the values stay, the strides do not."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from grader.problem.model import Layout, LayoutName
from grader.tensors.layout import lay_out, repeat_first

SHAPES = [(), (0,), (1,), (5,), (2, 3), (3, 1), (1, 1), (2, 0, 3), (2, 3, 4)]
DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int64, torch.bool]
KINDS: list[LayoutName] = ["contiguous", "transposed", "strided"]


def drawn(shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
    """Return varied values of a dtype."""
    values = torch.randn(shape, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    return (values * 3).to(dtype)


def storage(tensor: Tensor) -> Tensor:
    """Return all that the tensor's storage holds, in order."""
    return torch.empty(0, dtype=tensor.dtype).set_(tensor.untyped_storage())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", KINDS)
def test_values_shape_and_dtype_stay(
    kind: LayoutName, shape: tuple[int, ...], dtype: torch.dtype
) -> None:
    """A layout is invisible to code that asks for values."""
    tensor = drawn(shape, dtype)
    other = lay_out(tensor, Layout(kind))
    assert other.dtype == dtype
    assert torch.equal(other, tensor)


def test_transposed_reverses_the_order_in_memory() -> None:
    """The first axis is the one whose entries lie side by side."""
    other = lay_out(drawn((2, 3, 4), torch.float32), Layout("transposed"))
    assert other.stride() == (1, 2, 6)
    assert not other.is_contiguous()


@pytest.mark.parametrize(
    ("shape", "stride"), [((5,), (2,)), ((2, 3), (6, 2)), ((3, 1), (2, 2)), ((), ())]
)
def test_strided_takes_every_second_element(
    shape: tuple[int, ...], stride: tuple[int, ...]
) -> None:
    """Every stride is doubled, whatever the sizes."""
    assert lay_out(drawn(shape, torch.float32), Layout("strided")).stride() == stride


@given(
    st.lists(st.floats(width=16, allow_nan=False), min_size=1, max_size=6),
    st.sampled_from(DTYPES),
)
def test_what_lies_between_is_finite_and_foreign(values: list[float], dtype: torch.dtype) -> None:
    """Reading the storage from its start never gives the tensor's own values."""
    finite = [value if math.isfinite(value) or dtype.is_floating_point else 1.0 for value in values]
    tensor = torch.tensor(finite).to(dtype)
    raw = storage(lay_out(tensor, Layout("strided")))
    gaps = raw[::2]
    assert raw.numel() == 2 * tensor.numel()
    assert bool(gaps.isfinite().all())
    assert not torch.equal(gaps, tensor)
    assert not torch.equal(raw[: tensor.numel()], tensor)


def test_integer_gaps_are_still_indices() -> None:
    """A wrong reading is a wrong answer, not an index below zero."""
    gaps = storage(lay_out(torch.tensor([0, 1, 6]), Layout("strided")))[::2]
    assert gaps.tolist() == [1, 0, 7]


def test_expanded_repeats_the_first_entry_without_memory() -> None:
    """Stride 0 along the named axis, and the first entry everywhere."""
    tensor = drawn((3, 2), torch.float32)
    other = lay_out(tensor, Layout("expanded", "batch"), ("batch", "width"))
    assert other.stride() == (0, 1)
    assert torch.equal(other, tensor[:1].expand(3, 2))


def test_an_axis_without_entries_can_be_expanded() -> None:
    """There is no first entry to repeat, and none is needed."""
    assert repeat_first(torch.empty(2, 0), 1).shape == (2, 0)


@pytest.mark.parametrize("kind", [*KINDS, "expanded"])
def test_layouts_hold_without_values(kind: LayoutName) -> None:
    """On `meta` the strides are the same as on the CPU."""
    layout, axes = Layout(kind, "a" if kind == "expanded" else None), ("a", "b")
    bare = lay_out(torch.empty(2, 3, device="meta"), layout, axes)
    assert bare.is_meta
    assert bare.stride() == lay_out(torch.empty(2, 3), layout, axes).stride()
