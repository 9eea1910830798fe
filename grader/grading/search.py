"""Which known mistakes explain what a solution returned, on every case, right ones included.

Combinations of traps are tried, at most one a stage, fewest first, and each is evaluated in float64
on the case's own inputs. The output that is determined first is explained first, by the stages it
comes from; the others by what comes after. Pure: evidence in, combinations out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from grader.problem.model import Tolerance
from grader.stages import Choice, Computation, Evaluation, Fitted

MOST_TRAPS = 3

_ROOM = 8.0
"""Wrong formulas round worse than right ones: so many tolerances apart still counts as equal. Traps
that can be told apart at all differ tenfold in some case."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a solution returned in one case: inputs in float64, and outputs that can be compared."""

    case: str
    inputs: Mapping[str, Tensor | float | int]
    dtype: torch.dtype
    actual: Mapping[str, Tensor]
    tolerances: Mapping[str, tuple[Tolerance, float]]
    """By output: the case's tolerance and its scale."""
    failed: bool
    exact: Mapping[str, tuple[Tolerance, float]] = field(default_factory=dict)
    """The same of double precision, where what came has no more digits than single precision."""
    apart: bool = False
    """Nothing to compute with, as no layers, and passed: solutions often treat that by itself."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Traps that together give what the solution returned, and how closely.

    `constants`: of fitted steps, by id(). `largest_ratio`: the greatest distance over all cases, in
    tolerances. `apart`: the cases that stand apart are right, where these traps would not be.
    """

    choices: tuple[Choice, ...]
    constants: Mapping[int, float]
    largest_ratio: float
    apart: bool = False

    @property
    def traps(self) -> tuple[str, ...]:
        return tuple(choice.trap for choice in self.choices)


def explain(computation: Computation, evidence: Sequence[Evidence]) -> list[Explanation]:
    """The smallest combinations that explain all evidence, one for each set of ids; [] if none.

    None, too, where nothing is to be explained, for every value is right; and where nothing can be,
    for no value is finite: NaN everywhere looks the same whatever it comes from.
    """
    search = _Search(computation, evidence)
    if not search.has_values() or search.of_size(0):
        return []
    for size in range(1, MOST_TRAPS + 1):
        found = search.of_size(size)
        if found:
            return found
    return []


@dataclass(frozen=True, slots=True)
class Touchstone:
    """One element by which most wrong combinations are told at once, without comparing them all."""

    place: int
    actual: float
    tolerance: Tolerance
    scale: float

    def admits(self, predicted: Tensor) -> bool:
        """Whether this element is near enough. What is not finite is left to the comparison."""
        value = float(predicted.flatten()[self.place])
        near = self.tolerance.atol * self.scale + self.tolerance.rtol * abs(value)
        return not abs(value - self.actual) > _ROOM * near


class _Search:
    """The evaluations of all cases, and what has been tried."""

    def __init__(self, computation: Computation, evidence: Sequence[Evidence]) -> None:
        self.computation = computation
        self.cases = [
            (each, Evaluation(computation, each.inputs, each.dtype))
            for each in sorted(evidence, key=_order)
        ]
        self.choices = list(computation.choices())
        self.place = {stage.name: i for i, stage in enumerate(computation.stages)}
        self.first = self._first_output()
        self.touchstone = self._make_touchstone() if self.cases else None

    def has_values(self) -> bool:
        return any(
            bool(value.isfinite().any()) for each, _ in self.cases for value in each.actual.values()
        )

    def of_size(self, size: int) -> list[Explanation]:
        """Every set of this many ids that explains all, each in its closest way."""
        best: dict[frozenset[str], Explanation] = {}
        for chosen in self._combinations(size):
            constants = self._constants(chosen)
            if constants is None:
                continue
            ratio = self._ratio(chosen, constants, [c for c in self.cases if not c[0].apart])
            if ratio > _ROOM:
                continue
            in_apart = self._ratio(chosen, constants, [c for c in self.cases if c[0].apart])
            found = Explanation(chosen, constants, ratio, in_apart > _ROOM)
            key = frozenset(found.traps)
            if len(key) == size and (key not in best or _rank(found) < _rank(best[key])):
                best[key] = found
        ranked = sorted(best.values(), key=_rank)
        return [each for each in ranked if each.apart == ranked[0].apart]

    def _first_output(self) -> str | None:
        """The output that comes from the fewest stages, of those that the evidence holds."""
        present = {name for each, _ in self.cases for name in each.actual}
        outputs = self.computation.outputs
        stages = {
            name: len(self.computation.before(stage))
            for name, stage in outputs.items()
            if name in present
        }
        return min(stages, key=lambda name: stages[name], default=None)

    def _combinations(self, size: int) -> Iterator[tuple[Choice, ...]]:
        """Combinations whose first output fits, then any others that leave that output alone."""
        if self.first is None:
            return
        inner = self.computation.before(self.computation.outputs[self.first])
        choices = self._first_ways() if size == MOST_TRAPS else self.choices
        early = [choice for choice in choices if not inner.isdisjoint(choice.steps)]
        late = [choice for choice in choices if inner.isdisjoint(choice.steps)]
        for early_size in range(size, -1, -1):
            for before in self._disjoint(early, early_size):
                if not self._fits_first(before):
                    continue
                for after in self._disjoint(late, size - early_size):
                    if _stages_of(before).isdisjoint(_stages_of(after)):
                        yield (*before, *after)

    def _first_ways(self) -> list[Choice]:
        """Each trap in its commonest way alone: three at once in every way would be millions."""
        return list({choice.trap: choice for choice in reversed(self.choices)}.values())

    def _disjoint(self, choices: Sequence[Choice], size: int) -> Iterator[tuple[Choice, ...]]:
        """Combinations in which no two traps take the place of one stage's step."""
        by_stage: dict[str, list[Choice]] = {}
        for choice in choices:
            by_stage.setdefault(choice.stage, []).append(choice)
        stages = sorted(by_stage, key=lambda name: self.place[name])
        for picked in itertools.combinations(stages, size):
            for combination in itertools.product(*(by_stage[stage] for stage in picked)):
                steps = [name for choice in combination for name in choice.steps]
                if len(set(steps)) == len(steps):
                    yield combination

    def _fits_first(self, chosen: tuple[Choice, ...]) -> bool:
        """Whether the first output is explained in the first case: most fail at one element."""
        assert self.first is not None
        evidence, evaluation = self.cases[0]
        if self.first not in evidence.actual:
            return True
        constants = self._constants(chosen)
        if constants is None:
            return False
        predicted = evaluation.output(self.first, chosen, constants)
        if predicted is None or predicted.shape != evidence.actual[self.first].shape:
            return False
        if self.touchstone is not None and not self.touchstone.admits(predicted):
            return False
        return self._distance(evidence, evaluation, self.first, chosen, constants) <= _ROOM

    def _make_touchstone(self) -> Touchstone | None:
        """The element of the first output in the first case that is furthest from right."""
        evidence, evaluation = self.cases[0]
        if self.first is None or self.first not in evidence.actual:
            return None
        actual, right = evidence.actual[self.first], evaluation.output(self.first, (), {})
        if right is None or actual.numel() == 0 or not bool(actual.isfinite().all()):
            return None
        apart = (actual - right).abs() if right.shape == actual.shape else actual.abs()
        place = int(apart.argmax())
        tolerance, scale = evidence.tolerances[self.first]
        return Touchstone(place, float(actual.flatten()[place]), tolerance, scale)

    def _ratio(
        self,
        chosen: tuple[Choice, ...],
        constants: Mapping[int, float],
        cases: Sequence[tuple[Evidence, Evaluation]],
    ) -> float:
        """The greatest distance over cases and outputs; infinite as soon as one is too far."""
        largest = 0.0
        for evidence, evaluation in cases:
            for name in evidence.actual:
                distance = self._distance(evidence, evaluation, name, chosen, constants)
                largest = max(largest, distance)
                if largest > _ROOM:
                    return math.inf
        return largest

    def _distance(
        self,
        evidence: Evidence,
        evaluation: Evaluation,
        name: str,
        chosen: Sequence[Choice],
        constants: Mapping[int, float],
    ) -> float:
        predicted = evaluation.output(name, chosen, constants)
        if predicted is None:
            return math.inf
        tolerance, scale = evidence.tolerances[name]
        return distance(evidence.actual[name], predicted, tolerance, scale)

    def _constants(self, chosen: Sequence[Choice]) -> dict[int, float] | None:
        """Free constants, each from the first case that tells it; None when none does."""
        constants: dict[int, float] = {}
        for choice in chosen:
            for step in choice.steps.values():
                if isinstance(step, Fitted):
                    constant = self._estimate(step, chosen, constants)
                    if constant is None:
                        return None
                    constants[id(step)] = constant
        return constants

    def _estimate(
        self, step: Fitted, chosen: Sequence[Choice], constants: Mapping[int, float]
    ) -> float | None:
        finest = sorted(self.cases, key=lambda case: torch.finfo(case[0].dtype).eps)
        for evidence, evaluation in finest:
            constant = evaluation.estimate(step, chosen, constants, evidence.actual)
            if constant is not None:
                return constant
        return None


def distance(actual: Tensor, predicted: Tensor, tolerance: Tolerance, scale: float) -> float:
    """The greatest difference in tolerances; infinite for another shape. NaN is near NaN here, for
    a wrong formula may well give it."""
    if actual.shape != predicted.shape:
        return math.inf
    if actual.numel() == 0:
        return 0.0
    near = tolerance.atol * scale + tolerance.rtol * predicted.abs()
    ratio = (actual - predicted).abs() / near
    same = (actual == predicted) | (actual.isnan() & predicted.isnan())
    return float(ratio.masked_fill(same, 0.0).nan_to_num(nan=math.inf, posinf=math.inf).max())


def _rank(found: Explanation) -> tuple[bool, float]:
    return found.apart, found.largest_ratio


def _order(evidence: Evidence) -> tuple[bool, bool, int]:
    """Small failed cases of full precision first: there a combination fails soonest."""
    coarse = evidence.dtype not in (torch.float64, torch.float32)
    return (not evidence.failed, coarse, _numel(evidence.actual.values()))


def _numel(tensors: Iterable[Tensor]) -> int:
    return sum(tensor.numel() for tensor in tensors)


def _stages_of(chosen: Sequence[Choice]) -> set[str]:
    return {name for choice in chosen for name in choice.steps}
