"""Touch once, before forking, what solutions and the channel use first: imports, kernels, caches.

What is loaded here is loaded once, not in each fork; and what needs files or descriptors later
(safetensors, numpy's ctypes) is there even when a solution has used them up.
"""

from __future__ import annotations

import contextlib
import json
import traceback  # noqa: F401  used by exceptions in torch
from collections.abc import Iterator

import numpy.ctypeslib  # noqa: F401  safetensors takes it at its first use
import torch

from grader.sandbox.devices import warm_up as warm_up_devices
from grader.tensors.wire import decode, encode

_DTYPES = (torch.float64, torch.float32, torch.float16, torch.bfloat16)


def warm_up() -> None:
    """Run a few small operations of every kind, with one thread; never on a GPU."""
    torch.set_num_threads(1)
    json.loads(json.dumps({"a": 1.5}))
    decode(encode([torch.ones(2, 3), torch.ones(2, dtype=torch.bfloat16)]), 2)
    warm_up_devices()
    for dtype in _DTYPES:
        with contextlib.suppress(RuntimeError, NotImplementedError):
            for _ in _operations(dtype):
                pass
    if torch.version.cuda is None and torch.version.hip is None:
        _differentiate()


def _operations(dtype: torch.dtype) -> Iterator[torch.Tensor]:
    left = torch.ones(3, 4, dtype=dtype)
    yield left @ left.T
    yield torch.einsum("ij,kj->ik", left, left)
    yield torch.cat([left, left]).softmax(0)
    yield torch.stack([left, left]).sum(0)
    yield left.pow(2).mean(-1, keepdim=True).add(1e-6).rsqrt()
    yield left.to(torch.float32).exp().log()
    yield torch.nn.functional.rms_norm(left, (4,))
    yield (left > 0).any()


def _differentiate() -> None:
    """The autograd engine starts at its first use; only a build without CUDA starts no thread."""
    leaf = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    value = (leaf.softmax(0) * leaf).sum()
    torch.autograd.grad(value, [leaf], allow_unused=True)
