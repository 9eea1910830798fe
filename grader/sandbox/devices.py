"""Inside the fork: where do tensors of two devices meet? Asked on the meta device, without a GPU.

The call is made on meta tensors, and each operation is seen by a dispatch mode, which looks at the
devices of its tensors. Zero-dimensional CPU tensors mix with any device, and indices may lie on the
CPU: both are right. An operation on meta tensors is carried out on zeros of the same shape, for
torch's own meta kernels take a second to load at their first use, and let some mixes pass that CUDA
refuses (a CPU tensor in `matmul`, an in-place add).
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map_only

_MAY_MIX = ("index", "index_put", "index_put_", "_index_put_impl_", "_to_copy", "copy_")
_MOST_NOTED = 10_000
NO_VALUES = "Tensor.item() cannot be called on meta tensors"
COPIED_OUT = "Cannot copy out of meta tensor; no data!"
"""Both in torch's own words, for torch raises them too, where no mode is asked."""


class DeviceWatch(TorchDispatchMode):  # type: ignore[no-untyped-call] # untyped in torch
    """Records the first operation whose tensors lie on two devices, and the solution's line.

    `path` is the solution's file.
    """

    def __init__(self, path: str) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # untyped in torch
        self.path = path
        self.conflict = ""
        self.line: int | None = None
        self._made: dict[int, tuple[Tensor, int | None]] = {}
        """Tensors on another device, by id, and the line that made each; kept, or ids come anew."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Nothing is compiled here; exempting this mode from it would load the compiler (1 s)."""
        return False

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        arguments = kwargs or {}
        name = func._schema.name.removeprefix("aten::")
        tensors = _tensors((args, arguments))
        self._look(name, tensors)
        wanted = torch.device(arguments.get("device") or "cpu").type
        if wanted != "meta" and not any(tensor.device.type == "meta" for tensor in tensors):
            result = func(*args, **arguments)
            self._note(result, tensors)
            return result
        if name == "copy_" and args[0].device.type != "meta" and id(args[0]) in self._made:
            self._tell(name, tensors)
        _refuse_copies(name, args, arguments)
        result = _on_zeros(func, args, arguments)
        self._note(result, [])
        return result

    def _look(self, operation: str, tensors: list[Tensor]) -> None:
        devices = {tensor.device.type for tensor in tensors if tensor.dim() > 0}
        if len(devices) > 1 and not self.conflict and operation not in _MAY_MIX:
            self._tell(operation, tensors)

    def _tell(self, operation: str, tensors: list[Tensor]) -> None:
        """The mistake is where the tensor on the other device was made, if that was seen; a lone
        number may lie there."""
        self.conflict = self.conflict or f"`{operation}` meets tensors of two devices"
        numbers_last = sorted(tensors, key=lambda tensor: tensor.dim() == 0)
        made = (self._made[id(t)][1] for t in numbers_last if id(t) in self._made)
        self.line = self.line or next(made, None) or _line_in(self.path)

    def _note(self, result: Any, sources: list[Tensor]) -> None:
        """A tensor that is not on meta was made where the first of those it comes from was made."""
        lines = [self._made[id(t)][1] for t in sources if id(t) in self._made]
        line = lines[0] if lines else _line_in(self.path)
        for tensor in _tensors(result):
            if tensor.device.type != "meta" and len(self._made) < _MOST_NOTED:
                self._made.setdefault(id(tensor), (tensor, line))


def _refuse_copies(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """What needs the values of a meta tensor is an error, as it is in torch."""
    if name == "_local_scalar_dense":
        raise RuntimeError(NO_VALUES)
    source_is_meta = (
        isinstance(args[0], Tensor) and args[0].device.type == "meta" if args else False
    )
    target = kwargs.get("device")
    if name == "_to_copy" and source_is_meta and target and torch.device(target).type != "meta":
        raise NotImplementedError(COPIED_OUT)
    if name == "copy_" and not source_is_meta and args[1].device.type == "meta":
        raise NotImplementedError(COPIED_OUT)


def _on_zeros(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The operation on zeros in place of meta tensors; its results as meta tensors again, unless
    another device is asked for, as in `zeros_like(x, device="cpu")`."""
    stand_ins: dict[int, tuple[Tensor, Tensor]] = {}

    def zeros(tensor: Tensor) -> Tensor:
        if tensor.device.type != "meta":
            return tensor
        if id(tensor) not in stand_ins:
            made = torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype).zero_()
            stand_ins[id(tensor)] = (made, tensor)
        return stand_ins[id(tensor)][0]

    def meta(tensor: Tensor) -> Tensor:
        for made, original in stand_ins.values():
            if tensor is made:
                return original
        return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device="meta")

    args, kwargs = tree_map_only(Tensor, zeros, (args, kwargs))
    wanted = kwargs.get("device")
    if wanted is not None:
        kwargs = kwargs | {"device": torch.device("cpu")}
    result = func(*args, **kwargs)
    if wanted is not None and torch.device(wanted).type != "meta":
        return result
    return tree_map_only(Tensor, meta, result)


def _line_in(path: str) -> int | None:
    """The innermost line of the solution's file that is running now."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename != path:
        frame = frame.f_back
    return frame.f_lineno if frame is not None else None


def _tensors(tree: Any) -> list[Tensor]:
    if isinstance(tree, Tensor):
        return [tree]
    if isinstance(tree, dict):
        tree = tree.values()
    elif not isinstance(tree, (tuple, list)):
        return []
    return [tensor for item in tree for tensor in _tensors(item)]


def warm_up() -> None:
    """Load what a dispatch mode loads at its first use."""
    with DeviceWatch(""):
        torch.empty(2, device="meta").add(1)
