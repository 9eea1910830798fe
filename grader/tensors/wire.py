"""Tensors as bytes: safetensors, with positions for names, so that no text of a learner's is a key.

The only format that is read back from a process that ran a solution. Encoding checks what
safetensors does not: that a tensor's storage really holds what its shape says.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

ENCODABLE = frozenset(
    {
        torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32,
        torch.int16, torch.int8, torch.uint8, torch.bool,
    }
)  # fmt: skip


class WireError(ValueError):
    """The bytes are not what `encode` writes."""


def encode(tensors: Sequence[Tensor]) -> bytes:
    """Dense tensors on any device, of a dtype in `ENCODABLE`, to bytes; in order, and copied."""
    return save({str(i): _plain(tensor) for i, tensor in enumerate(tensors)})


def decode(data: bytes, count: int) -> list[Tensor]:
    """The `count` tensors that `encode` wrote; WireError when the bytes are anything else."""
    try:
        named = load(data)
    except (SafetensorError, ValueError, KeyError, RuntimeError, TypeError, OverflowError) as bad:
        raise WireError(str(bad)) from None
    if set(named) != {str(i) for i in range(count)}:
        raise WireError(f"expected {count} tensors, found {len(named)}")
    if not ENCODABLE.issuperset(tensor.dtype for tensor in named.values()):
        raise WireError("a dtype that is never sent")
    return [named[str(i)] for i in range(count)]


def bytes_of(tensor: Tensor) -> int:
    """How many bytes the tensor takes when it is written out in full."""
    return Tensor.numel(tensor) * Tensor.element_size(tensor)


def is_backed(tensor: Tensor) -> bool:
    """Whether the storage reaches as far as shape and strides say; a shrunken one does not."""
    if Tensor.numel(tensor) == 0:
        return True
    steps = zip(tensor.shape, Tensor.stride(tensor), strict=True)
    last = Tensor.storage_offset(tensor) + sum((size - 1) * step for size, step in steps)
    return (last + 1) * Tensor.element_size(tensor) <= Tensor.untyped_storage(tensor).nbytes()


def _plain(tensor: Tensor) -> Tensor:
    plain = Tensor.detach(tensor).resolve_conj().resolve_neg()
    return plain.to("cpu", copy=True, memory_format=torch.contiguous_format)
