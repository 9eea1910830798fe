"""Arguments as one block of bytes: what a fork makes of it, and what the parent sees change."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from grader.sandbox.frames import shared_file
from grader.sandbox.layout import changed_inputs, lay_out
from grader.sandbox.messages import Argument, Call
from tests.sandbox.sandbox_runs import arguments


def rebuilt(entry: dict[str, Any], block: bytes) -> Tensor:
    """The tensor of an entry, as a fork makes it."""
    dtype = getattr(torch, entry["dtype"])
    if entry["count"] == 0:
        storage = torch.empty(0, dtype=dtype)
    else:
        data = bytearray(block)
        storage = torch.frombuffer(data, dtype=dtype, count=entry["count"], offset=entry["at"])
    return storage.as_strided(entry["shape"], entry["stride"], entry["offset"])


MAKERS: dict[str, Callable[[], Tensor]] = {
    "contiguous": lambda: torch.arange(6.0).view(2, 3),
    "transposed": lambda: torch.arange(6.0).view(2, 3).T,
    "strided with an offset": lambda: torch.arange(12.0)[3::2],
    "expanded": lambda: torch.arange(3.0).expand(4, 3),
    "scalar": lambda: torch.tensor(2.5, dtype=torch.float64),
    "empty": lambda: torch.ones(2, 0, 3),
    "half": lambda: torch.arange(5, dtype=torch.bfloat16),
    "indices": lambda: torch.arange(5),
    "mask": lambda: torch.tensor([True, False]),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
def test_a_tensor_keeps_values_strides_and_storage(make: Callable[[], Tensor]) -> None:
    """Gaps included: a solution that reads raw memory sees what it would see at home."""
    tensor = make()
    header, block = lay_out(Call(arguments(eps=1e-6, before=torch.ones(3), x=tensor)))
    entry = header["arguments"][2]
    other = rebuilt(entry, block)
    assert torch.equal(other, tensor)
    assert other.stride() == tensor.stride()
    assert other.untyped_storage().nbytes() >= tensor.untyped_storage().nbytes()
    assert entry["at"] % 64 == 0


def test_numbers_stay_python_numbers() -> None:
    """They go in the header."""
    header, block = lay_out(Call(arguments(eps=1e-6, layers=3)))
    assert header["arguments"] == [
        {"name": "eps", "number": 1e-6},
        {"name": "layers", "number": 3},
    ]
    assert len(block) > 0  # a file of no bytes cannot be mapped


@pytest.mark.parametrize(
    ("gradients", "expected"),
    [((), [False, False]), (("x",), [True, False]), (("y", "x"), [True, True])],
)
@pytest.mark.parametrize("cotangents", [None, {"": torch.ones(2)}], ids=["traced", "called"])
def test_gradients_are_asked_of_the_named_inputs_only(
    gradients: tuple[str, ...], expected: list[bool], cotangents: dict[str, Tensor] | None
) -> None:
    """Whether or not they are computed: a trace only looks where they would pass."""
    inputs = arguments(x=torch.ones(2), y=torch.ones(2))
    header, _ = lay_out(Call(inputs, gradients=gradients, cotangents=cotangents))
    assert [entry["grad"] for entry in header["arguments"]] == expected


def test_no_gradient_is_asked_of_a_cotangent() -> None:
    """It is a weight, no variable; nor is it, under a name of an input, taken for that."""
    call = Call(arguments(x=torch.ones(2)), gradients=("x",), cotangents={"x": torch.ones(2)})
    header, _ = lay_out(call)
    assert header["cotangents"]["x"]["grad"] is False


def test_a_meta_tensor_has_no_bytes() -> None:
    """Its shape and strides are all there is."""
    tensor = torch.empty(2, 3, device="meta").T
    header, _ = lay_out(Call((Argument("x", tensor),), "meta"))
    entry = header["arguments"][0]
    assert (entry["shape"], entry["stride"], entry["nbytes"]) == ([3, 2], [1, 3], 0)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=4), st.data())
def test_a_changed_byte_is_charged_to_its_input(sizes: list[int], data: st.DataObject) -> None:
    """Any single byte; padding between inputs is nobody's."""
    inputs = arguments(**{f"x{i}": torch.ones(size) for i, size in enumerate(sizes)})
    header, block = lay_out(Call(inputs))
    at = data.draw(st.integers(0, len(block) - 1))
    fd = shared_file(block)
    try:
        os.pwrite(fd, bytes([block[at] ^ 1]), at)
        owners = [a["name"] for a in header["arguments"] if a["at"] <= at < a["at"] + a["nbytes"]]
        assert changed_inputs(header, block, fd) == tuple(owners)
    finally:
        os.close(fd)


def test_untouched_inputs_are_unchanged() -> None:
    """NaNs too, which compare unequal to themselves as numbers."""
    header, block = lay_out(Call(arguments(x=torch.tensor([float("nan")]), eps=1.0)))
    fd = shared_file(block)
    try:
        assert changed_inputs(header, block, fd) == ()
    finally:
        os.close(fd)
