"""Tensors as bytes: what goes in comes out, and nothing but tensors comes out of any bytes."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from torch import Tensor

from grader.tensors.wire import ENCODABLE, WireError, bytes_of, decode, encode, is_backed

DTYPES = sorted(ENCODABLE, key=str)
FLOATS = [dtype for dtype in DTYPES if dtype.is_floating_point]
SHAPES = st.lists(st.integers(0, 4), max_size=5).map(tuple)


def drawn(shape: tuple[int, ...], dtype: torch.dtype, seed: int = 0) -> Tensor:
    """Varied values; of a float's rarer ones a few as well."""
    rng = torch.Generator().manual_seed(seed)
    values = (torch.randn(shape, generator=rng, dtype=torch.float64) * 50).to(dtype)
    if dtype.is_floating_point and values.numel() > 3:
        values.view(-1)[:3] = torch.tensor([float("nan"), float("inf"), -0.0], dtype=dtype)
    return values


def raw(tensor: Tensor) -> bytes:
    """The values' bytes in order, by which NaNs and zeros' signs are compared too."""
    plain = torch.empty(tensor.numel(), dtype=tensor.dtype)
    plain.view(tensor.shape).copy_(tensor.detach())
    return bytes(plain.view(torch.uint8).tolist())


def assert_same(actual: Tensor, expected: Tensor) -> None:
    """Dtype, shape and every bit."""
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    assert raw(actual) == raw(expected)
    assert actual.is_contiguous()
    assert not actual.requires_grad


@given(SHAPES, st.sampled_from(DTYPES), st.integers(0, 9))
@example((), torch.bfloat16, 0)
@example((0, 3), torch.bool, 0)
def test_every_dtype_and_shape_survives(
    shape: tuple[int, ...], dtype: torch.dtype, seed: int
) -> None:
    """Scalars, empty tensors, NaNs and negative zeros among them."""
    tensor = drawn(shape, dtype, seed)
    (decoded,) = decode(encode([tensor]), 1)
    assert_same(decoded, tensor)


@given(SHAPES.filter(bool), st.sampled_from(DTYPES), st.data())
def test_every_view_survives(
    shape: tuple[int, ...], dtype: torch.dtype, data: st.DataObject
) -> None:
    """Permuted, sliced with steps, with an offset: the values count, not the memory."""
    axes = data.draw(st.permutations(range(len(shape))))
    view = drawn(shape, dtype).permute(axes)
    for axis, size in enumerate(view.shape):
        start, step = data.draw(st.integers(0, size)), data.draw(st.integers(1, 3))
        view = view[(slice(None),) * axis + (slice(start, None, step),)]
    (decoded,) = decode(encode([view]), 1)
    assert_same(decoded, view)


VIEWS: dict[str, Callable[[], Tensor]] = {
    "expanded": lambda: torch.arange(3.0).expand(4, 3),
    "all of it one value": lambda: torch.tensor(2.5).expand(2, 3),
    "overlapping": lambda: torch.arange(5.0).as_strided((3, 3), (1, 1)),
    "diagonal": lambda: torch.arange(9).view(3, 3).diagonal(),
    "negated lazily": lambda: torch.complex(torch.ones(3), torch.arange(3.0)).conj().imag,
    "real part of a conjugate": lambda: torch.complex(torch.ones(3), torch.ones(3)).conj().real,
    "requires grad": lambda: torch.ones(2, requires_grad=True) * 3,
    "a leaf that requires grad": lambda: torch.ones(2, requires_grad=True),
    "a parameter": lambda: torch.nn.Parameter(torch.ones(2)),
    "channels last": lambda: torch.rand(1, 2, 3, 4).to(memory_format=torch.channels_last),
    "made in inference mode": lambda: torch.inference_mode()(torch.ones)(2),
}


@pytest.mark.parametrize("make", VIEWS.values(), ids=VIEWS.keys())
def test_odd_tensors_survive(make: Callable[[], Tensor]) -> None:
    """Ways to hold values that safetensors alone refuses or gets wrong."""
    tensor = make()
    (decoded,) = decode(encode([tensor]), 1)
    assert_same(decoded, tensor)


def test_many_keep_their_order() -> None:
    """Positions are names, and "10" does not come before "9"."""
    tensors = [torch.full((), float(i)) for i in range(12)]
    assert [t.item() for t in decode(encode(tensors), 12)] == list(range(12))


def test_the_same_tensor_can_be_sent_twice() -> None:
    """Shared memory is written out for each."""
    base = torch.arange(6.0)
    first, second, third = decode(encode([base, base, base[2:4]]), 3)
    assert_same(first, base)
    assert_same(second, base)
    assert_same(third, base[2:4])


def test_no_tensors_are_sent_as_none() -> None:
    """An answer can be without any."""
    assert decode(encode([]), 0) == []


def test_encoding_leaves_the_tensor_alone() -> None:
    """It is copied, and still requires grad."""
    tensor = torch.arange(4.0).requires_grad_()
    data = encode([tensor[::2]])
    with torch.no_grad():
        tensor.zero_()
    assert decode(data, 1)[0].tolist() == [0.0, 2.0]
    assert tensor.requires_grad


FRAME = encode([drawn((2, 3), torch.float32), drawn((3,), torch.int64), torch.ones(0)])


def decode_or_refuse(data: bytes, count: int = 3) -> None:
    """Tensors of dtypes that are sent, or WireError; anything else fails the test."""
    try:
        decoded = decode(data, count)
    except WireError:
        return
    assert len(decoded) == count
    assert all(type(tensor) is Tensor and tensor.dtype in ENCODABLE for tensor in decoded)
    for tensor in decoded:
        assert is_backed(tensor)


@given(st.data())
def test_spoiled_bytes_are_tensors_or_refused(data: st.DataObject) -> None:
    """A few bytes of a real encoding are changed."""
    spoiled = bytearray(FRAME)
    for _ in range(data.draw(st.integers(1, 8))):
        spoiled[data.draw(st.integers(0, len(FRAME) - 1))] = data.draw(st.integers(0, 255))
    decode_or_refuse(bytes(spoiled))


@given(st.integers(0, len(FRAME)), st.binary(max_size=40))
def test_cut_or_lengthened_bytes_are_refused(length: int, more: bytes) -> None:
    """Wherever they end."""
    decode_or_refuse(FRAME[:length] + more)


@given(st.binary(max_size=200))
def test_noise_is_refused(data: bytes) -> None:
    """Any bytes at all."""
    with pytest.raises(WireError):
        decode(data, 3)


NUMBERS = st.sampled_from([-1, 0, 1, 8, 24, 2**31, 2**32, 2**53, 2**63 - 1, 2**64 - 1, 2**70])
DTYPE_NAMES = ["F32", "F64", "BF16", "I64", "BOOL", "U16", "U64", "C64", "F8_E4M3", "F4", "nope"]


@given(
    st.sampled_from(DTYPE_NAMES),
    st.lists(NUMBERS, max_size=4),
    st.lists(NUMBERS, min_size=2, max_size=2),
    st.binary(max_size=64),
)
@example("F32", [2**32, 2**32], [0, 0], b"")
@example("F64", [2**61], [0, 0], b"")
@example("F8_E4M3", [1], [0, 1], b"x")
@example("C64", [1], [0, 8], b"12345678")
@example("U16", [1], [0, 2], b"12")
@example("F4", [2], [0, 1], b"1")
@example("F32", [0, 2**63 - 1, 2**63 - 1], [0, 0], b"")
def test_forged_headers_are_tensors_or_refused(
    dtype: str, shape: list[int], offsets: list[int], body: bytes
) -> None:
    """Sizes that overflow, offsets that point elsewhere, dtypes that are never sent."""
    header = {"0": {"dtype": dtype, "shape": shape, "data_offsets": offsets}}
    text = json.dumps(header).encode()
    decode_or_refuse(struct.pack("<Q", len(text)) + text + body, 1)


@pytest.mark.parametrize(
    "text",
    [b"{" * 100_000, b'{"0":' * 50_000, b"[" * 1_000_000, b"\xff" * 100, b"{}" + b" " * 1000],
    ids=["braces", "objects", "lists", "not text", "no tensors"],
)
def test_hostile_headers_are_refused(text: bytes) -> None:
    """Deep nesting too, which ends some parsers."""
    with pytest.raises(WireError):
        decode(struct.pack("<Q", len(text)) + text, 1)


@pytest.mark.parametrize("length", [2**63, 2**64 - 1, 10**9])
def test_a_header_longer_than_the_bytes_is_refused(length: int) -> None:
    """Nothing is reserved for what is not there."""
    with pytest.raises(WireError):
        decode(struct.pack("<Q", length) + b"{}", 1)


@pytest.mark.parametrize("count", [0, 2, 4])
def test_another_number_of_tensors_is_refused(count: int) -> None:
    """The reader says how many there are to be."""
    with pytest.raises(WireError, match=f"expected {count} tensors, found 3"):
        decode(FRAME, count)


def test_dtypes_that_are_never_sent_are_refused() -> None:
    """Decodable for safetensors, but not what `encode` is given."""
    text = b'{"0": {"dtype": "U16", "shape": [1], "data_offsets": [0, 2]}}'
    with pytest.raises(WireError, match="never sent"):
        decode(struct.pack("<Q", len(text)) + text + b"12", 1)


@given(SHAPES, st.sampled_from(DTYPES))
def test_bytes_are_counted_written_out(shape: tuple[int, ...], dtype: torch.dtype) -> None:
    """An expanded tensor counts as large as it is when it is sent."""
    tensor = torch.zeros((), dtype=dtype).expand(shape)
    assert bytes_of(tensor) == len(raw(tensor))


@given(SHAPES, st.sampled_from(FLOATS), st.data())
def test_what_torch_made_is_backed(
    shape: tuple[int, ...], dtype: torch.dtype, data: st.DataObject
) -> None:
    """And so is every view of it."""
    tensor = drawn(shape, dtype)
    assert is_backed(tensor)
    assert is_backed(tensor.permute(data.draw(st.permutations(range(len(shape))))))
    assert is_backed(tensor.expand((3, *shape)))


@pytest.mark.parametrize(
    ("size", "backed"), [(24, True), (23, False), (20, False), (4, False), (0, False)]
)
def test_a_shrunken_storage_does_not_back_its_tensor(size: int, backed: bool) -> None:
    """What lies past its end is memory of something else."""
    tensor = torch.arange(6.0).view(2, 3)
    tensor.untyped_storage().resize_(size)
    assert is_backed(tensor) is backed


def test_a_shrunken_storage_still_backs_the_part_that_is_left() -> None:
    """Offset and strides are reckoned with."""
    base = torch.arange(10.0)
    part, last = base[2:6:3], base[9:]
    base.untyped_storage().resize_(24)
    assert is_backed(part)
    assert not is_backed(last)


def test_an_empty_tensor_needs_no_storage() -> None:
    """There is nothing to be read."""
    tensor = torch.ones(0, 5)
    tensor.untyped_storage().resize_(0)
    assert is_backed(tensor)
