"""Arguments of a call as one block of bytes that parent and fork share, and a header that says
where each lies. The parent keeps the bytes it wrote and compares them after the call: that is how
*inputs unchanged* is decided, out of the solution's reach."""

from __future__ import annotations

import os
from typing import Any

import torch
from torch import Tensor

from grader.sandbox.messages import Call

_ALIGN = 64


def lay_out(call: Call) -> tuple[dict[str, Any], bytes]:
    """The header's part about the arguments, and the block."""
    block = bytearray()
    arguments = [
        _entry(a.name, a.value, block, grad=a.name in call.gradients) for a in call.arguments
    ]
    cotangents = {
        name: _entry(name, weight, block, grad=False)
        for name, weight in (call.cotangents or {}).items()
    }
    header = {
        "device": call.device,
        "chance": call.chance,
        "arguments": arguments,
        "gradients": list(call.gradients),
        "cotangents": cotangents,
    }
    return header, bytes(block) or bytes(_ALIGN)


def changed_inputs(header: dict[str, Any], before: bytes, fd: int) -> tuple[str, ...]:
    """Names of the tensor arguments whose bytes in the shared file differ from `before`."""
    after = os.pread(fd, len(before), 0)
    if after == before:
        return ()
    spans = [
        (a["name"], slice(a["at"], a["at"] + a["nbytes"]))
        for a in header["arguments"]
        if "number" not in a
    ]
    return tuple(name for name, span in spans if before[span] != after[span])


def _entry(name: str, value: Tensor | float, block: bytearray, *, grad: bool) -> dict[str, Any]:
    if not isinstance(value, Tensor):
        return {"name": name, "number": value}
    storage = _storage(value)
    block.extend(bytes(-len(block) % _ALIGN))
    at = len(block)
    block.extend(storage.view(torch.uint8).numpy().tobytes())
    return {
        "name": name,
        "dtype": str(value.dtype).removeprefix("torch."),
        "shape": list(value.shape),
        "stride": list(value.stride()),
        "offset": value.storage_offset(),
        "count": storage.numel(),
        "at": at,
        "nbytes": len(block) - at,
        "grad": grad,
    }


def _storage(value: Tensor) -> Tensor:
    """All elements of the tensor's storage, gaps included, as one flat tensor."""
    if value.device.type == "meta":
        return torch.empty(0, dtype=value.dtype)
    return torch.empty(0, dtype=value.dtype).set_(value.untyped_storage())
