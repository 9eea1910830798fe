"""Where a solution goes wrong: its recorded tensors beside the stages of the computation.

The records are a graph: each says which earlier ones it was made from. From the first result that
is wrong one looks back along it, past all that is a known right result, or that a right result was
made from: what is left is where it goes wrong, and the first of that is the line. Who writes the
computation in another way has no tensor for some stages; the graph leads past them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from torch import Tensor

from grader.grading.blame import Blame
from grader.grading.match import Result, Results
from grader.grading.reading import Reading
from grader.grading.source import Source
from grader.sandbox.messages import Traced
from grader.stages import Choice, Computation, Evaluation, parameters

_NO_SOURCE = Source()


@dataclass(frozen=True, slots=True)
class Place:
    """The first wrong line, the stage that is wrong there, and the last line before that was right.

    `right_stage` is what that line had right.
    """

    line: int | None = None
    stage: str | None = None
    last_right_line: int | None = None
    right_stage: str | None = None


def locate(
    computation: Computation,
    evaluation: Evaluation,
    inputs: Mapping[str, Tensor],
    traced: Traced,
    choices: Sequence[Choice],
    constants: Mapping[int, float],
    source: Source = _NO_SOURCE,
) -> Place:
    """Find the place in one case. `choices`: the traps that explain the solution, () if unknown;
    `source`: the file."""
    names = [stage.name for stage in computation.stages]
    right = _results(evaluation, names, (), {})
    changed = _changed(right, _results(evaluation, names, choices, constants)) if choices else {}
    reading = Reading(
        traced.steps,
        right,
        changed,
        Results([*evaluation.waypoints(), *inputs.values()]),
        [value.shape for value in inputs.values()],
        _needed(computation, inputs, choices),
    )
    outputs = {name: stage for name, stage in computation.outputs.items() if stage in right}
    end = reading.first_wrong() if choices else None
    if end is None:
        end = _wrong_output(reading, outputs, right, names)
    signs = Results(evaluation.signs(choices[0].trap) if choices else ())
    sign = None if end is None else reading.first_sign(end, signs)
    at = sign if sign is not None or end is None else reading.first_suspect(end)
    stage = choices[0].stage if choices else _first_unvouched(computation, reading)
    blame = Blame(
        reading,
        traced,
        source,
        wanted=right.get(stage or ""),
        is_of_axes=bool(choices) and _is_of_axes(evaluation, right, changed, choices[0]),
        hands_over=_handed_over(computation, right, choices),
    )
    line = traced.returned
    if at is not None:
        line = traced.steps[at].line if at == sign else blame.line(at)
    seen = _last_right(reading, line, len(traced.steps) if at is None else at)
    steps = traced.steps
    return Place(
        line=line,
        stage=stage,
        last_right_line=None if seen is None else steps[seen].line,
        right_stage=None if seen is None else min(reading.stages[seen], key=names.index),
    )


def _last_right(reading: Reading, line: int | None, at: int) -> int | None:
    """The last right result of a stage before a step, made before anything the wrong line makes: a
    line that has something right and then goes wrong is not also the last right one."""
    before = range(at - 1, -1, -1)
    if all(step.line != line for step in reading.steps[at : at + 1]):
        first = next((n for n, step in enumerate(reading.steps) if step.line == line), at)
        before = range(min(first, at) - 1, -1, -1)
    right = (n for n in before if reading.stages[n] and reading.steps[n].line != line)
    return next(right, None)


def _results(
    evaluation: Evaluation,
    names: Sequence[str],
    choices: Sequence[Choice],
    constants: Mapping[int, float],
) -> dict[str, Result]:
    found = {name: evaluation.stage(name, choices, constants) for name in names}
    return {name: Result(value) for name, value in found.items() if value is not None}


def _changed(right: Mapping[str, Result], wrong: Mapping[str, Result]) -> dict[str, Result]:
    """The stages whose result the mistakes change, in order."""
    return {
        name: result
        for name, result in wrong.items()
        if name not in right or not right[name].has(result.value)
    }


def _wrong_output(
    reading: Reading,
    outputs: Mapping[str, str],
    right: Mapping[str, Result],
    names: Sequence[str],
) -> int | None:
    """The returned tensor that is wrong, of the earliest stage; without any, the last tensor."""
    returned = [
        (names.index(outputs[step.what]), number)
        for number, step in enumerate(reading.steps)
        if step.kind == "returned" and step.what in outputs
        and not right[outputs[step.what]].has(step.value)
    ]  # fmt: skip
    if returned:
        return min(returned)[1]
    return len(reading.steps) - 1 if reading.steps else None


def _first_unvouched(computation: Computation, reading: Reading) -> str | None:
    """The first stage that is neither seen to be right nor part of one that is."""
    vouched: set[str] = set()
    for name in {name for stages in reading.stages for name in stages}:
        vouched |= computation.before(name)
    return next((s.name for s in computation.stages if s.name not in vouched), None)


def _needed(
    computation: Computation, inputs: Mapping[str, Tensor], choices: Sequence[Choice]
) -> list[int]:
    """Which input tensors the first wrong stage is made from, by their numbers."""
    right = {stage.name: stage.right for stage in computation.stages}
    taken = parameters(right[choices[0].stage]) if choices else ()
    return [number for number, name in enumerate(inputs) if name in taken]


def _handed_over(
    computation: Computation, right: Mapping[str, Result], choices: Sequence[Choice]
) -> str:
    """The output that the wrong stage does no more than hand over, "" if it does more."""
    if not choices:
        return ""
    stage = next(each for each in computation.stages if each.name == choices[0].stage)
    sources = [right[name] for name in parameters(stage.right) if name in right]
    outputs = [name for name, made_at in computation.outputs.items() if made_at == stage.name]
    is_same = len(sources) == 1 and sources[0].has(right[stage.name].value)
    return outputs[0] if outputs and is_same else ""


def _is_of_axes(
    evaluation: Evaluation,
    right: Mapping[str, Result],
    changed: Mapping[str, Result],
    choice: Choice,
) -> bool:
    """Whether the wrong stage is the right one along other axes: taken of a turned source, and
    turned back, it is the same."""
    if choice.stage not in changed:
        return False
    wrong = changed[choice.stage].value
    return any(
        turned.shape == wrong.shape and changed[choice.stage].has(turned)
        for turned in evaluation.turned(choice.stage)
    )
