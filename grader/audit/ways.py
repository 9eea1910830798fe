"""The ways to make each known mistake, and by how much each case refuses what they give.

A step of `stages.py` is the author's own code, so it is evaluated here, in float64, and rounded to
the case's dtype as the answer of a solution would be.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from grader.audit.bench import Bench, dtype_of, given
from grader.grading.exam import PreparedCase, Target
from grader.proof import CLEAR, Kill, Remark, Weight
from grader.stages import Choice, Computation, Evaluation, Fitted

CONSTANTS = (1.0, 0.5, 32.0, 2.0, 8.0, 0.1, -1.0, 100.0, 1e-3)
"""Tried where a step has a constant that people choose freely."""
MOST_SEEDS = 10
"""A seed takes half a second for 200 ways, and the least error of all hardly falls any more."""
_MOST_CONSTANTS = 2
_FOUND_AGAIN = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """One way to make a mistake. `constants`: of its fitted steps, by id()."""

    label: str
    choice: Choice
    constants: Mapping[int, float]

    @property
    def trap(self) -> str:
        return self.choice.trap

    @property
    def stage(self) -> str:
        return self.choice.stage


def find_ways(bench: Bench, computation: Computation) -> tuple[list[Way], list[Remark]]:
    """Every trap in every way, those with a free constant for a few constants that can be told."""
    choices = list(computation.choices())
    counts = Counter(choice.trap for choice in choices)
    numbers: Counter[str] = Counter()
    ways: list[Way] = []
    remarks: list[Remark] = []
    for choice in choices:
        numbers[choice.trap] += 1
        label = choice.trap
        if counts[choice.trap] > 1:
            label = f"{label} ({numbers[choice.trap]})"
        fitted = [step for step in choice.steps.values() if isinstance(step, Fitted)]
        if not fitted:
            ways.append(Way(label, choice, {}))
            continue
        found = _constants_of(bench, computation, choice, fitted)
        ways += [
            Way(f"{label} with {c:g}", choice, {id(step): c for step in fitted}) for c in found
        ]
        if not found:
            remarks.append(_no_constant(label))
    return ways, remarks


def measure_ways(bench: Bench, computation: Computation, ways: Sequence[Way]) -> list[Kill]:
    """Each way's error in each case, the least of the first seeds."""
    least: list[dict[str, float]] = [{} for _ in ways]
    exams = bench.exams[:MOST_SEEDS]
    for done, exam in enumerate(exams):
        bench.progress("traps in every case", done, len(exams))
        for prepared in bench.valued(exam):
            evaluation = Evaluation(computation, given(bench.problem, prepared), dtype_of(prepared))
            name = prepared.case.name
            for way, errors in zip(ways, least, strict=True):
                found = error_of(prepared, outputs_of(prepared, evaluation, way))
                errors[name] = min(found, errors.get(name, math.inf))
    return [Kill(w.label, errors, w.trap) for w, errors in zip(ways, least, strict=True)]


def outputs_of(
    prepared: PreparedCase, evaluation: Evaluation, *ways: Way
) -> dict[str, Tensor | None]:
    """The outputs of a solution with these mistakes; None where it would raise."""
    choices = [way.choice for way in ways]
    constants = {key: value for way in ways for key, value in way.constants.items()}
    return {
        target.output.name: _rounded(
            evaluation.output(target.output.name, choices, constants), target
        )
        for target in prepared.main.targets
    }


def error_of(prepared: PreparedCase, outputs: Mapping[str, Tensor | None]) -> float:
    """The greatest error of all outputs, in tolerances; infinite where there is no number."""
    return max(error_in(target, outputs[target.output.name]) for target in prepared.main.targets)


def error_in(target: Target, actual: Tensor | None) -> float:
    """The greatest error of one output, in tolerances. Cheaper than a comparison that explains."""
    expected = target.values
    if actual is None or expected is None or actual.shape != expected.shape:
        return math.inf
    if expected.numel() == 0:
        return 0.0
    expected, actual = expected.to(torch.float64), actual.to(torch.float64)
    allowed = expected.abs() * target.tolerance.rtol + target.tolerance.atol * target.scale
    ratio = ((actual - expected).abs() / allowed).masked_fill(actual == expected, 0.0)
    return float(ratio.nan_to_num(nan=math.inf, posinf=math.inf).max())


def check_kills(kills: Iterable[Kill], cases: int) -> list[Remark]:
    """Every wrong answer must be refused, in some case clearly."""
    remarks = []
    for kill in kills:
        worst = kill.strongest
        if worst >= CLEAR:
            continue
        where = next((name for name, error in kill.cases.items() if error == worst), "")
        if worst <= 1.0:
            message = f"{kill.row} is accepted by all {cases} cases"
            told = f'; its largest error is {worst:.2g} tolerances, in "{where}"' if worst else ""
            remarks.append(
                Remark(
                    "trap-not-rejected",
                    Weight.FAULT,
                    f"{message}{told or ': it gives the right values in each'}.",
                    "add a case in which it shows, or mend its step in stages.py.",
                )
            )
        else:
            remarks.append(
                Remark(
                    "trap-barely-rejected",
                    Weight.FAULT,
                    f'{kill.row} is off by no more than {worst:.2g} tolerances, in "{where}"; '
                    f"a clear rejection takes {CLEAR:g}.",
                    "tighten the tolerance of that case, or let the mistake count for more in it.",
                )
            )
    return remarks


def _rounded(value: Tensor | None, target: Target) -> Tensor | None:
    if value is None or not value.is_floating_point():
        return value
    dtype = getattr(torch, target.dtype)
    return value.to(dtype) if dtype.is_floating_point else value


def _constants_of(
    bench: Bench, computation: Computation, choice: Choice, fitted: Sequence[Fitted]
) -> list[float]:
    """Constants that change what is returned, and that are estimated from it again."""
    cases = sorted(bench.valued(bench.exam), key=_coarseness)
    found = []
    for constant in CONSTANTS:
        way = Way("", choice, {id(step): constant for step in fitted})
        answers = [_answer(bench, computation, each, way) for each in cases]
        if not any(error_of(each, outputs) >= CLEAR for each, _, outputs in answers):
            continue
        estimates = (_estimate(ev, way, fitted[0], outputs) for _, ev, outputs in answers)
        first = next((each for each in estimates if each is not None), math.inf)
        if abs(first - constant) <= _FOUND_AGAIN * abs(constant):
            found.append(constant)
        if len(found) == _MOST_CONSTANTS:
            break
    return found


def _answer(
    bench: Bench, computation: Computation, prepared: PreparedCase, way: Way
) -> tuple[PreparedCase, Evaluation, dict[str, Tensor | None]]:
    """What a way gives in a case. The evaluation is of this answer: it keeps estimates from it."""
    evaluation = Evaluation(computation, given(bench.problem, prepared), dtype_of(prepared))
    return prepared, evaluation, outputs_of(prepared, evaluation, way)


def _coarseness(prepared: PreparedCase) -> float:
    dtype = dtype_of(prepared)
    return torch.finfo(dtype).eps if dtype.is_floating_point else 0.0


def _estimate(
    evaluation: Evaluation, way: Way, fitted: Fitted, outputs: Mapping[str, Tensor | None]
) -> float | None:
    actual = {name: value.to(torch.float64) for name, value in outputs.items() if value is not None}
    return evaluation.estimate(fitted, (way.choice,), {}, actual)


def _no_constant(label: str) -> Remark:
    tried = ", ".join(f"{constant:g}" for constant in CONSTANTS)
    return Remark(
        "trap-constant-lost",
        Weight.FAULT,
        f"{label} has a constant, and none of {tried} is both seen in a case and found again by "
        "its estimate.",
        "mend the estimate in stages.py, or add a case that tells the constant.",
    )
