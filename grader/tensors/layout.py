"""How a tensor lies in memory: same values and shape, other strides.

Most learners' tests only ever see contiguous tensors. `.view`, raw storage and assumptions about
strides break on the others, which slicing, transposing and broadcasting make every day.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from grader.problem.model import Layout


def lay_out(tensor: Tensor, layout: Layout, axes: Sequence[str] = ()) -> Tensor:
    """The tensor in another memory layout; `axes` names its axes, for `expanded`.

    contiguous: row-major. transposed: the axes lie in memory in reverse order. strided: every
    second element of a storage twice as large, from the second on; what lies between is finite and
    foreign, so that reading the storage itself gives wrong answers. expanded: stride 0 along
    `layout.axis`, whose first entry is repeated (the only layout that can change values).
    """
    match layout.kind:
        case "transposed":
            backwards = tuple(reversed(range(tensor.ndim)))
            return tensor.permute(backwards).contiguous().permute(backwards)
        case "strided":
            return torch.stack([_foreign(tensor), tensor], dim=-1).select(-1, 1)
        case "expanded":
            return repeat_first(tensor, axes.index(layout.axis or ""))
    return tensor.contiguous()


def repeat_first(tensor: Tensor, axis: int) -> Tensor:
    """A view with stride 0 along `axis`: its first entry at every place."""
    return tensor.narrow(axis, 0, min(1, tensor.shape[axis])).expand(tensor.shape)


def _foreign(tensor: Tensor) -> Tensor:
    """Finite values of the same scale as the tensor's that are not its own.

    Floats: minus half the RMS, which no tensor is made of (all values equal to it would have half
    that RMS). Integers: the neighbour with the last bit flipped, so that an index stays an index.
    """
    if tensor.is_meta:
        return tensor
    if tensor.dtype == torch.bool:
        return ~tensor
    if not tensor.is_floating_point():
        return tensor ^ 1
    scale = float(tensor.to(torch.float64).square().mean().sqrt()) if tensor.numel() else 1.0
    return torch.full_like(tensor, -scale / 2 if 0 < scale < math.inf else 0.5)
