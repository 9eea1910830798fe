"""Comparison of a solution's values with the expected ones, element by element, in float64.

An element is right when `|actual - expected| <= atol * scale + rtol * |expected|`; every element
must be. NaN is never right; an infinity is right only where that infinity is expected. Nothing
broadcasts. Whole numbers and booleans must be equal. Dtype and device are other checks' business.

Passing costs a dozen small operations; where and how badly is worked out only after a failure.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from grader.problem.model import Output, Tolerance

ShapeRelation = Literal["same", "permuted", "extra_axis", "unreduced_axis", "missing_axis", "other"]
Index = tuple[int, ...]

# What a wrong value's ratio is at least: rounding must not make it the 1 of a right one.
_JUST_ABOVE_ONE = math.nextafter(1.0, math.inf)
_MOST_AXES = 6
_MOST_COMPARISONS = 24
_EXACT = Tolerance(atol=0.0, rtol=0.0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison saw.

    `wrong` of `total` values are wrong, among them `nan` that are NaN and `inf` that are infinite.
    `first_bad`, `first_nan` and `first_inf` are the first such indices in row-major order; `worst`
    is the one whose error is the largest share of what is allowed there, with the values
    `expected`, `actual` and `allowed` at it. `largest_ratio` is that share: at most 1 when all is
    right, more when not, infinity for NaN.
    """

    total: int
    wrong: int = 0
    nan: int = 0
    inf: int = 0
    first_bad: Index | None = None
    worst: Index | None = None
    expected: float | None = None
    actual: float | None = None
    allowed: float | None = None
    largest_ratio: float = 0.0
    first_nan: Index | None = None
    first_inf: Index | None = None

    @property
    def passed(self) -> bool:
        """Whether every value is right; with no values at all, that is so."""
        return self.wrong == 0


def compare(actual: Tensor, expected: Tensor, tolerance: Tolerance, scale: float) -> Comparison:
    """Compare two tensors of the same shape; `ValueError` when the shapes differ.

    `expected` is float64, or of an integer or boolean dtype, and then compared exactly.
    """
    if actual.shape != expected.shape:
        raise ValueError(f"shapes differ: {tuple(actual.shape)}, {tuple(expected.shape)}")
    if expected.numel() == 0:
        return Comparison(total=0)
    actual, expected = _real(actual.detach()), expected.detach()
    wrong = _wrong(actual, expected, tolerance, scale)
    if not expected.is_floating_point():
        tolerance = _EXACT
    if bool(wrong.any()):
        return _examine(actual, expected, wrong, _allowed(expected, tolerance, scale))
    largest = float(_ratio(actual, expected, _allowed(expected, tolerance, scale)).max())
    return Comparison(total=expected.numel(), largest_ratio=largest)


def find_permutation(
    actual: Tensor, expected: Tensor, tolerance: Tolerance, scale: float
) -> Index | None:
    """The order of axes that makes wrong values right: `actual.permute(order)` passes.

    Never the identity, and None when the values are right as they are. Fewest moved axes first.
    Work is bounded: up to 6 axes, and 24 orders that agree on a corner are compared in full.
    """
    actual, expected = _real(actual.detach()), expected.detach()
    if actual.shape == expected.shape and not _wrong(actual, expected, tolerance, scale).any():
        return None
    budget = _MOST_COMPARISONS
    for order in _orders(actual.shape, expected.shape):
        turned = actual.permute(order)
        if _wrong(_corner(turned), _corner(expected), tolerance, scale).any():
            continue
        if not _wrong(turned, expected, tolerance, scale).any():
            return order
        budget -= 1
        if budget == 0:
            break
    return None


def shape_relation(actual: Sequence[int], expected: Sequence[int]) -> ShapeRelation:
    """How a shape differs from the expected one.

    Axes of size 1 may be extra in any number; one of another size was not reduced. An axis is
    missing when one axis, or any number of size 1, makes the difference.
    """
    if tuple(actual) == tuple(expected):
        return "same"
    if sorted(actual) == sorted(expected):
        return "permuted"
    if _adds_axes(actual, expected):
        more = Counter(actual) - Counter(expected)
        return "extra_axis" if set(more) == {1} else "unreduced_axis"
    if _adds_axes(expected, actual):
        return "missing_axis"
    return "other"


def rms(tensors: Iterable[Tensor]) -> float:
    """Root of the mean square of all elements together; 0.0 when there are none.

    Divided by the largest before squaring, so that 1e200 and 1e-200 neither over- nor underflow.
    """
    flat = [_real(tensor.detach()).to(torch.float64).reshape(-1) for tensor in tensors]
    values = torch.cat(flat) if flat else torch.empty(0)
    if values.numel() == 0:
        return 0.0
    peak = float(values.abs().max())
    if peak == 0.0 or not math.isfinite(peak):
        return peak
    return peak * math.sqrt(float((values / peak).square_().mean()))


def scale_of(output: Output, tensors: Mapping[str, Tensor]) -> float:
    """The `scale` of an output's tolerance: the RMS of its `scale_inputs` together.

    1 when it names none, and when their RMS is 0 or not finite: a scale of infinity would accept
    everything.
    """
    if not output.scale_inputs:
        return 1.0
    scale = rms(tensors[name] for name in output.scale_inputs)
    return scale if 0.0 < scale < math.inf else 1.0


def _wrong(actual: Tensor, expected: Tensor, tolerance: Tolerance, scale: float) -> Tensor:
    """Which elements are wrong; the shapes are the same."""
    if not expected.is_floating_point():
        return _unequal(actual, expected)
    values, truth = actual.to(torch.float64), expected.to(torch.float64)
    error = (values - truth).abs_()
    near = (error <= _allowed(truth, tolerance, scale)).logical_and_(error < math.inf)
    # Equal infinities are right though their difference is NaN; an infinite error never is, however
    # much is allowed.
    return near.logical_or_(values == truth).logical_not_()


def _unequal(actual: Tensor, expected: Tensor) -> Tensor:
    """Unequal as float64 or as int64: neither alone is exact for every dtype of `actual`."""
    same_value = actual.to(torch.float64) == expected.to(torch.float64)
    same_whole = actual.to(torch.int64) == expected.to(torch.int64)
    return same_value.logical_and_(same_whole).logical_not_()


def _allowed(expected: Tensor, tolerance: Tolerance, scale: float) -> Tensor:
    """The largest error that is right at each element; `rtol` counts for finite ones only."""
    size = expected.to(torch.float64).abs()
    return size.masked_fill_(size.isinf(), 0.0).mul_(tolerance.rtol).add_(tolerance.atol * scale)


def _ratio(actual: Tensor, expected: Tensor, allowed: Tensor) -> Tensor:
    """Error over allowed error: 0 where there is no error, infinity where NaN is involved."""
    values, truth = actual.to(torch.float64), expected.to(torch.float64)
    ratio = (values - truth).abs_().div_(allowed)
    return ratio.nan_to_num_(nan=math.inf, posinf=math.inf).masked_fill_(values == truth, 0.0)


def _examine(actual: Tensor, expected: Tensor, wrong: Tensor, allowed: Tensor) -> Comparison:
    """The details of a failure. Values are quoted from the tensors as they are, not as float64."""
    ratio = _ratio(actual, expected, allowed).clamp_(min=_JUST_ABOVE_ONE).masked_fill_(~wrong, 0.0)
    values = actual.to(torch.float64)
    nan, inf = values.isnan(), values.isinf().logical_and_(wrong)
    worst = _index_of_largest(ratio)
    return Comparison(
        total=expected.numel(),
        wrong=int(wrong.sum()),
        nan=int(nan.sum()),
        inf=int(inf.sum()),
        first_bad=_first(wrong),
        worst=worst,
        expected=expected[worst].item(),
        actual=actual[worst].item(),
        allowed=float(allowed[worst]),
        largest_ratio=float(ratio[worst]),
        first_nan=_first(nan),
        first_inf=_first(inf),
    )


def _first(mask: Tensor) -> Index | None:
    return _index_of_largest(mask.to(torch.uint8)) if bool(mask.any()) else None


def _index_of_largest(tensor: Tensor) -> Index:
    """The first index of the largest value, in row-major order."""
    flat = int(tensor.argmax())
    place = []
    for size in reversed(tensor.shape):  # torch.unravel_index would load sympy (0.4 s)
        flat, remainder = divmod(flat, size)
        place.append(remainder)
    return tuple(reversed(place))


def _real(tensor: Tensor) -> Tensor:
    """The tensor itself; of complex numbers the real part, NaN where they are not real."""
    if tensor.is_complex():
        return torch.where(tensor.imag == 0, tensor.real, math.nan)
    return tensor


def _orders(actual: Sequence[int], expected: Sequence[int]) -> Iterator[Index]:
    """Orders of axes other than the identity that turn one shape into the other."""
    if len(actual) > _MOST_AXES or sorted(actual) != sorted(expected):
        return
    identity = tuple(range(len(actual)))
    orders = sorted(itertools.permutations(identity), key=_moved)
    for order in orders[1:]:
        if all(actual[axis] == size for axis, size in zip(order, expected, strict=True)):
            yield order


def _moved(order: Index) -> int:
    return sum(place != axis for place, axis in enumerate(order))


def _corner(tensor: Tensor) -> Tensor:
    """At most three entries along each axis: enough to turn down most orders."""
    return tensor[(slice(3),) * tensor.ndim]


def _adds_axes(longer: Sequence[int], shorter: Sequence[int]) -> bool:
    if len(longer) <= len(shorter):
        return False
    if len(longer) == len(shorter) + 1:
        short = tuple(shorter)
        return any((*longer[:i], *longer[i + 1 :]) == short for i in range(len(longer)))
    return [n for n in longer if n != 1] == [n for n in shorter if n != 1]
