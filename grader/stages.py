"""A computation as named stages, each with its right step and the wrong steps that people take.

A problem's `stages.py` holds one `COMPUTATION`, a table of plain torch functions:

    COMPUTATION = Computation(
        stages=(
            Stage("squares", right=lambda values: values**2, traps={"absolute": [...]}),
            Stage("mean", right=lambda squares: squares.mean(0), traps={"sum": [...]}),
        ),
        outputs={"result": "mean"},
    )

A step is a pure function. Its parameters are named after inputs of the problem and after earlier
stages; `dtype` gives the case's torch dtype (everything is evaluated in float64, where a mistake
that shows by overflow alone would not). A trap may be made in several ways: mostly one other step
at its own stage, sometimes, as a `Variant`, other steps at later stages as well.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

Step = Callable[..., Tensor]
_CANNOT_BE_TAKEN = (RuntimeError, ValueError, LookupError, TypeError, ArithmeticError)
"""What a step raises where its formula has no result: for no elements, or one."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A step with a constant that people choose freely.

    `step` takes it as `constant`; `estimate` finds it in one case, from inputs, stages and the
    solution's own outputs, by their names. None or NaN: it cannot tell.
    """

    step: Step
    estimate: Callable[..., float | None]


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """One way to make a mistake: the steps taken instead of the right ones, by stage."""

    steps: Mapping[str, Step | Fitted]


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """A named result. `traps`: by id, the ways to make that mistake at this stage.

    `waypoints` are right intermediate results, on the usual ways to this stage from those before:
    what a line makes that is one of them is not the mistake. `signs`, by trap, are results that are
    right elsewhere, or at first sight, and yet where this mistake is made: its line is theirs.
    """

    name: str
    right: Step
    traps: Mapping[str, Sequence[Step | Fitted | Variant]] = field(default_factory=dict)
    waypoints: Sequence[Step] = ()
    signs: Mapping[str, Sequence[Step]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A trap made in one of its ways; `steps` by stage."""

    trap: str
    stage: str
    steps: Mapping[str, Step | Fitted]


@dataclass(frozen=True, slots=True, eq=False)
class Computation:
    """Stages in order, and the stage that gives each output of the problem."""

    stages: tuple[Stage, ...]
    outputs: Mapping[str, str]

    def choices(self) -> Iterator[Choice]:
        """Every trap in every one of its ways, by stage and as the author listed them."""
        for stage in self.stages:
            for trap, ways in stage.traps.items():
                for way in ways:
                    steps = way.steps if isinstance(way, Variant) else {stage.name: way}
                    yield Choice(trap, stage.name, steps)

    def before(self, stage: str) -> frozenset[str]:
        """The stage and those that its right result comes from."""
        right = {each.name: each.right for each in self.stages}
        found: set[str] = set()
        waiting = [stage]
        while waiting:
            name = waiting.pop()
            if name in right and name not in found:
                found.add(name)
                waiting.extend(parameters(right[name]))
        return frozenset(found)

    def mistakes(self, inputs: Sequence[str], outputs: Sequence[str]) -> list[str]:
        """What is wrong with this table for a problem with these inputs and outputs, in words."""
        found = []
        names = [stage.name for stage in self.stages]
        if len(set(names)) < len(names):
            found.append("two stages have one name")
        if set(self.outputs) != set(outputs):
            found.append(f"outputs must name a stage for each of {', '.join(outputs)}")
        found += [
            f'output "{o}": no stage "{s}"' for o, s in self.outputs.items() if s not in names
        ]
        known = {*inputs, "dtype"}
        for stage in self.stages:
            found += [
                f"{where}: {m}"
                for where, step in self._steps_at(stage)
                for m in _unknown(step, known)
            ]
            known.add(stage.name)
            found += [
                f'sign of "{trap}": {m}'
                for trap, signs in stage.signs.items()
                for sign in signs
                for m in _unknown(sign, known)
            ]
            found += [
                f'stage "{stage.name}": a sign of "{trap}", which is no trap of it'
                for trap in stage.signs
                if trap not in stage.traps
            ]
        found += [
            f'trap "{choice.trap}": no stage "{name}"'
            for choice in self.choices()
            for name in choice.steps
            if name not in names
        ]
        return found

    def _steps_at(self, stage: Stage) -> Iterator[tuple[str, Step]]:
        """Each step that may be taken at this stage, with words for where it stands."""
        yield f'stage "{stage.name}"', stage.right
        for choice in self.choices():
            step = choice.steps.get(stage.name)
            if step is not None:
                yield f'trap "{choice.trap}"', step.step if isinstance(step, Fitted) else step
        for number, waypoint in enumerate(stage.waypoints, start=1):
            yield f'waypoint {number} of "{stage.name}"', waypoint


class Evaluation:
    """A computation on one case's inputs, in float64; shared results are computed once.

    A combination of choices is evaluated as the right path with their steps in place; a step that
    raises has no result, nor has what comes from it.
    """

    def __init__(
        self, computation: Computation, inputs: Mapping[str, Any], dtype: torch.dtype
    ) -> None:
        self._right = {stage.name: stage.right for stage in computation.stages}
        self._waypoints = [step for stage in computation.stages for step in stage.waypoints]
        self._signs = {trap: s for stage in computation.stages for trap, s in stage.signs.items()}
        self._outputs = computation.outputs
        self._before = {stage.name: computation.before(stage.name) for stage in computation.stages}
        self._given = {**inputs, "dtype": dtype}
        self._results: list[Tensor | None] = []
        self._numbers: dict[object, int] = {}
        """By step, constant and the numbers of what it came from: the number of its result."""
        self._right_numbers: dict[str, int] = {}
        self._plans: dict[int, tuple[Step, tuple[str, ...], Step | Fitted]] = {}
        self._estimates: dict[object, float | None] = {}

    def output(
        self, name: str, chosen: Sequence[Choice], constants: Mapping[int, float]
    ) -> Tensor | None:
        """An output as it would be with these choices. `constants`: of fitted steps, by id()."""
        return self.stage(self._outputs[name], chosen, constants)

    def stage(
        self, name: str, chosen: Sequence[Choice], constants: Mapping[int, float]
    ) -> Tensor | None:
        """A stage's result with these choices."""
        return self._results[self._solve(name, _steps_of(chosen), constants, {})]

    def waypoints(self) -> list[Tensor]:
        """The right intermediate results of all stages, as far as they exist."""
        return self._intermediate(self._waypoints)

    def signs(self, trap: str) -> list[Tensor]:
        """The results that show where a mistake is made, as far as they exist."""
        return self._intermediate(self._signs.get(trap, ()))

    def _intermediate(self, steps: Sequence[Step]) -> list[Tensor]:
        found = []
        for step in steps:
            value = self._take(step, self._sources_of(step), None)
            if value is not None:
                found.append(value)
        return found

    def turned(self, name: str) -> Iterator[Tensor]:
        """A stage's right step along other axes: of its largest source with two axes exchanged, and
        exchanged back."""
        step = self._right[name]
        sources = self._sources_of(step)
        values = {n: v for n, v in sources.items() if v is not None}
        if not values:
            return
        largest = max(values, key=lambda each: values[each].numel())
        for axes in itertools.combinations(range(values[largest].dim()), 2):
            turned = values[largest].transpose(*axes)
            result = self._take(step, {**sources, largest: turned}, None)
            if result is not None and result.dim() > max(axes):
                yield result.transpose(*axes)

    def estimate(
        self,
        fitted: Fitted,
        chosen: Sequence[Choice],
        constants: Mapping[int, float],
        actual: Mapping[str, Tensor],
    ) -> float | None:
        """The constant of a fitted step in this case, given the other choices among these."""
        others = _steps_of([each for each in chosen if fitted not in each.steps.values()])
        solved: dict[str, int] = {}
        names = parameters(fitted.estimate)
        stages = [name for name in names if name not in actual and name in self._right]
        numbers = tuple(self._solve(name, others, constants, solved) for name in stages)
        key = (id(fitted), numbers, *(id(actual[name]) for name in names if name in actual))
        if key not in self._estimates:
            results = dict(zip(stages, (self._results[n] for n in numbers), strict=True))
            given = {name: self._given.get(name) for name in names}
            self._estimates[key] = _estimated(fitted, {**given, **actual, **results}, names)
        return self._estimates[key]

    def _sources_of(self, step: Step) -> dict[str, Tensor | None]:
        """The right results that a step takes, by stage."""
        return {
            name: self._results[self._solve(name, {}, {}, {})]
            for name in parameters(step)
            if name in self._right
        }

    def _solve(
        self,
        name: str,
        steps: Mapping[str, Step | Fitted],
        constants: Mapping[int, float],
        solved: dict[str, int],
    ) -> int:
        """Compute a stage unless it was; the number of its result. `solved`: the numbers that this
        combination has already."""
        if name in solved:
            return solved[name]
        if self._before[name].isdisjoint(steps):  # all that it comes from is right
            if name in self._right_numbers:
                return self._right_numbers[name]
            steps = {}
        step = steps.get(name) or self._right[name]
        plain, sources = self._plan(step)
        numbers = tuple([self._solve(each, steps, constants, solved) for each in sources])
        constant = constants.get(id(step)) if isinstance(step, Fitted) else None
        key = (id(step), constant, numbers)
        number = self._numbers.get(key)
        if number is None:
            results = (self._results[n] for n in numbers)
            result = self._take(plain, dict(zip(sources, results, strict=True)), constant)
            number = self._numbers[key] = len(self._results)
            self._results.append(result)
        solved[name] = number
        if not steps:
            self._right_numbers[name] = number
        return number

    def _plan(self, step: Step | Fitted) -> tuple[Step, tuple[str, ...]]:
        """The function of a step and the stages that it takes."""
        found = self._plans.get(id(step))
        if found is None:
            plain = step.step if isinstance(step, Fitted) else step
            sources = tuple(name for name in parameters(plain) if name in self._right)
            found = self._plans[id(step)] = (
                plain,
                sources,
                step,
            )  # kept, so that its id is its own
        return found[0], found[1]

    def _take(
        self, step: Step, sources: Mapping[str, Tensor | None], constant: float | None
    ) -> Tensor | None:
        arguments = {
            name: sources[name]
            if name in sources
            else constant
            if name == "constant"
            else self._given[name]
            for name in parameters(step)
        }
        if any(value is None for value in arguments.values()):
            return None
        try:
            return step(**arguments)
        except _CANNOT_BE_TAKEN:
            return None


def _steps_of(chosen: Sequence[Choice]) -> dict[str, Step | Fitted]:
    steps: dict[str, Step | Fitted] = {}
    for choice in chosen:
        steps.update(choice.steps)
    return steps


def _estimated(fitted: Fitted, known: Mapping[str, Any], names: Sequence[str]) -> float | None:
    arguments = {name: known[name] for name in names}
    if any(value is None for value in arguments.values()):
        return None
    try:
        constant = fitted.estimate(**arguments)
    except _CANNOT_BE_TAKEN:
        return None
    return None if constant is None or constant != constant else float(constant)


@functools.cache
def parameters(step: Callable[..., Any]) -> tuple[str, ...]:
    """Names of a step's parameters without a default, in order."""
    found = inspect.signature(step).parameters.items()
    return tuple(name for name, each in found if each.default is each.empty)


def _unknown(step: Step, known: set[str]) -> list[str]:
    return [
        f'"{name}" is neither an input nor an earlier stage'
        for name in parameters(step)
        if name not in known and name != "constant"
    ]
