"""Edits that make a drawn input special: a slice set, copied, or aligned with another input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from grader.problem.model import AlignEdit, CopyEdit, Edit, Fill, SetEdit
from grader.tensors.draw import Draw, InputError


@dataclass(frozen=True, slots=True)
class Draft:
    """A tensor in the making: float64 values, changed in place by edits, and its axes' names."""

    values: Tensor
    axes: tuple[str, ...]

    def at(self, place: Mapping[str, int]) -> Tensor:
        """The slice (a view) at an index on each of some axes."""
        view: list[int | slice] = [slice(None)] * len(self.axes)
        for axis, entry in place.items():
            position = self.axes.index(axis)
            size = self.values.shape[position]
            if not -size <= entry < size:
                raise InputError(f'index {entry} is outside axis "{axis}" of size {size}')
            view[position] = entry
        return self.values[tuple(view)]


def edit_order(fills: Mapping[str, Fill]) -> list[str]:
    """The inputs in an order where one that an edit reads comes before the one it changes.

    Otherwise as given; of two that read each other, the one that is met first comes last.
    """
    order: dict[str, None] = {}
    met: set[str] = set()

    def visit(name: str) -> None:
        if name in met:
            return
        met.add(name)
        for edit in fills[name].edits:
            visit(_reads(edit, name))
        order[name] = None

    for name in fills:
        visit(name)
    return list(order)


def apply(edit: Edit, name: str, drafts: Mapping[str, Draft], draw: Draw) -> None:
    """Change the draft `name` in place."""
    match edit:
        case SetEdit(at, value):
            drafts[name].at(at).fill_(draw.number(value))
        case CopyEdit(to, source, of):
            _copy(drafts[of].at(source), drafts[name].at(to))
        case AlignEdit(along, one_of, amount):
            _align(drafts[name], drafts[along].values, one_of, draw.number(amount), draw)


def _reads(edit: Edit, name: str) -> str:
    match edit:
        case SetEdit():
            return name
        case CopyEdit():
            return edit.of
        case AlignEdit():
            return edit.along


def _copy(source: Tensor, target: Tensor) -> None:
    if source.shape != target.shape:  # copy_ would broadcast
        raise InputError(
            f"a slice of shape {list(source.shape)} is copied to one of {list(target.shape)}"
        )
    target.copy_(source.clone())  # they may overlap


def _align(draft: Draft, along: Tensor, one_of: str, amount: float, draw: Draw) -> None:
    """Add `amount` times `along`, at RMS 1, to one entry of `one_of` at each other position."""
    values = draft.values.movedim(draft.axes.index(one_of), 0)
    if values.numel() == 0:
        return
    chosen = draw.choices(values.shape[0], values.shape[1:-1])
    entries = torch.arange(values.shape[0]).reshape(-1, *[1] * chosen.ndim)
    size = along.square().mean(-1, keepdim=True).sqrt()
    direction = torch.where(size > 0, along / size, 0.0)
    try:
        values.add_((entries == chosen).unsqueeze(-1) * (amount * direction))
    except RuntimeError:  # torch's words speak of broadcasting
        raise InputError(
            f"shape {list(along.shape)} does not fit the input that is aligned with it"
        ) from None
