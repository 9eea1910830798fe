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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

Step = Callable[..., Tensor]


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
    what a line makes that is one of them is not the mistake.
    """

    name: str
    right: Step
    traps: Mapping[str, Sequence[Step | Fitted | Variant]] = field(default_factory=dict)
    waypoints: Sequence[Step] = ()


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
        self._outputs = computation.outputs
        self._given = {**inputs, "dtype": dtype}
        self._results: dict[object, Tensor | None] = {}

    def output(
        self, name: str, chosen: Sequence[Choice], constants: Mapping[int, float]
    ) -> Tensor | None:
        """An output as it would be with these choices. `constants`: of fitted steps, by id()."""
        return self.stage(self._outputs[name], chosen, constants)

    def stage(
        self, name: str, chosen: Sequence[Choice], constants: Mapping[int, float]
    ) -> Tensor | None:
        """A stage's result with these choices."""
        steps: dict[str, Step | Fitted] = {}
        for choice in chosen:
            steps.update(choice.steps)
        return self._results[self._solve(name, steps, constants)]

    def waypoints(self) -> list[Tensor]:
        """The right intermediate results of all stages, as far as they exist."""
        found = []
        for step in self._waypoints:
            sources = {
                name: self._solve(name, {}, {}) for name in parameters(step) if name in self._right
            }
            value = self._take(step, sources, None)
            if value is not None:
                found.append(value)
        return found

    def estimate(
        self,
        fitted: Fitted,
        chosen: Sequence[Choice],
        constants: Mapping[int, float],
        actual: Mapping[str, Tensor],
    ) -> float | None:
        """The constant of a fitted step in this case, given the other choices among these."""
        others = [each for each in chosen if fitted not in each.steps.values()]
        arguments: dict[str, Any] = {}
        for name in parameters(fitted.estimate):
            if name in actual:
                arguments[name] = actual[name]
            elif name in self._right:
                arguments[name] = self.stage(name, others, constants)
            else:
                arguments[name] = self._given.get(name)
        if any(value is None for value in arguments.values()):
            return None
        try:
            constant = fitted.estimate(**arguments)
        except (RuntimeError, ValueError, IndexError, TypeError):
            return None
        return None if constant is None or constant != constant else float(constant)

    def _solve(
        self, name: str, steps: Mapping[str, Step | Fitted], constants: Mapping[int, float]
    ) -> object:
        """Compute a stage unless it was; the key of its result: step and what it came from."""
        step = steps.get(name, self._right[name])
        plain = step.step if isinstance(step, Fitted) else step
        sources = {
            parameter: self._solve(parameter, steps, constants)
            for parameter in parameters(plain)
            if parameter in self._right
        }
        constant = constants.get(id(step)) if isinstance(step, Fitted) else None
        key = (id(step), constant, *sources.values())
        if key not in self._results:
            self._results[key] = self._take(plain, sources, constant)
        return key

    def _take(
        self, step: Step, sources: Mapping[str, object], constant: float | None
    ) -> Tensor | None:
        arguments = {
            name: self._results[sources[name]]
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
        except (RuntimeError, ValueError, IndexError, TypeError):
            return None


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
