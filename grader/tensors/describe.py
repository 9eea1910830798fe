"""Tensors, numbers and indices in words, for messages. A tensor's values are never dumped."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

_SHORT_KINDS = {"float": "f", "bfloat": "bf", "int": "i", "uint": "u", "complex": "c"}


def short(dtype: torch.dtype, shape: Sequence[int]) -> str:
    """Dtype and shape as `f32[2,3]`; a number without axes is `f32[]`."""
    name = str(dtype).removeprefix("torch.")
    kind = name.rstrip("0123456789")
    if kind in _SHORT_KINDS:
        name = _SHORT_KINDS[kind] + name.removeprefix(kind)
    return f"{name}[{','.join(str(size) for size in shape)}]"


def number(value: float, digits: int = 6) -> str:
    """A number to `digits` significant digits; whole numbers of integer outputs are exact."""
    if isinstance(value, int):  # bool too
        return str(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    return f"{value or 0.0:.{digits}g}"  # `or`: -0.0 reads as 0


def apart(first: float, second: float) -> tuple[str, str]:
    """Both numbers with as many digits, from 6 up, as it takes to tell them apart.

    So that no message says "expected 0.211942, actual 0.211942".
    """
    for digits in range(6, 18):
        words = number(first, digits), number(second, digits)
        if words[0] != words[1]:
            break
    return words


def index(position: Sequence[int], axes: Sequence[str]) -> str:
    """A position by the names of its axes: `[source 2, batch 0, sequence 4]`."""
    pairs = zip(axes, position, strict=True)
    return f"[{', '.join(f'{_axis(name)} {place}' for name, place in pairs)}]"


def ordinal(n: int) -> str:
    """`1st`, `2nd`, `3rd`, `4th`, `11th`, `21st`."""
    if n % 100 in (11, 12, 13):
        return f"{n}th"
    return f"{n}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th') }"


def count(n: int, noun: str, plural: str | None = None) -> str:
    """`1 value`, `2 values`, `0 values`; `plural` where an s will not do."""
    return f"{n} {noun if n == 1 else plural or noun + 's'}"


def percent(part: int, whole: int) -> str:
    """A share to one decimal: `2.5 %`. Only nothing is `0 %`, only everything is `100 %`."""
    if part in (0, whole):
        return "0 %" if part == 0 else "100 %"
    share = 100 * part / whole
    if share < 0.1:
        return "< 0.1 %"
    if share > 99.9:
        return "> 99.9 %"
    return f"{share:.1f}".removesuffix(".0") + " %"


def fraction(part: int, whole: int, noun: str = "value") -> str:
    """How many of how many: `12 of 480 values (2.5 %)`."""
    return f"{part} of {count(whole, noun)} ({percent(part, whole)})"


def _axis(name: str) -> str:
    return name if name.isidentifier() else f"({name})"
