"""Why a solution fails: contract mistakes from the findings, mistakes in the computation from a
search over the problem's stages, and the first wrong line from a trace.

Precision before recall: a mistake is named only when it explains every value that was returned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from grader.grading.exam import PreparedCase, Target, coarser_tolerance
from grader.grading.locate import Place, locate
from grader.grading.recognise import named_trap
from grader.grading.search import Evidence, Explanation, distance, explain
from grader.problem.model import Problem, ScalarInput
from grader.results import Diagnosis
from grader.sandbox.messages import Call, Traced
from grader.stages import Choice, Computation, Evaluation, parameters

Tracer = Callable[[Call], Traced]


@dataclass(frozen=True, slots=True)
class Answered:
    """A case and the tensors that the solution returned in it, by output."""

    prepared: PreparedCase
    tensors: Mapping[str, Tensor]
    failed: bool


def explain_values(
    problem: Problem,
    computation: Computation,
    answered: Sequence[Answered],
    known: Diagnosis,
    source: bytes,
    tracer: Tracer,
) -> Diagnosis:
    """Add to a diagnosis of contract mistakes what the values tell."""
    evidence = _evidence(problem, answered)
    found = explain(computation, evidence)
    if not found and all(_is_right(computation, each) for each in evidence):
        return known
    subject = _subject(answered, evidence)
    place = Place() if subject is None else _place(computation, *subject, found, tracer)
    stage = found[0].choices[0].stage if found else _wrong_stage(computation, evidence, place.stage)
    told = _with_traps(problem, known, found, len(evidence))
    return _with_place(told, replace(place, stage=stage), source)


def _evidence(problem: Problem, answered: Sequence[Answered]) -> list[Evidence]:
    """Answered cases as evidence: all in float64, defaults filled in, axes in the right order."""
    scalars = [each for each in problem.inputs if isinstance(each, ScalarInput)]
    defaults = {each.name: each.default for each in scalars if each.default is not None}
    orders = _axis_orders(answered)
    made = []
    for each in answered:
        given = {a.name: _double(a.value) for a in each.prepared.main.call.arguments}
        targets = {t.output.name: t for t in each.prepared.main.targets}
        known = {name: value for name, value in each.tensors.items() if name in targets}
        made.append(
            Evidence(
                case=each.prepared.case.name,
                inputs={**defaults, **given},
                dtype=getattr(torch, each.prepared.case.dtype),
                actual={n: _double(_in_order(targets[n], v, orders)) for n, v in known.items()},
                tolerances={
                    n: (coarser_tolerance(targets[n], v.dtype), targets[n].scale)
                    for n, v in known.items()
                },
                failed=each.failed,
            )
        )
    told = [each for each in made if each.actual]
    return [each for each in told if each.dtype not in _HALVES] or told


_HALVES = (torch.float16, torch.bfloat16)
"""Rounding in half precision can turn a choice, such as an argmax: the last evidence to take."""


def _axis_orders(answered: Sequence[Answered]) -> dict[str, tuple[int, ...]]:
    """By output, the order that puts its axes right, where a case of different sizes tells it."""
    orders: dict[str, tuple[int, ...]] = {}
    for each in answered:
        for target in each.prepared.main.targets:
            value = each.tensors.get(target.output.name)
            sizes = list(target.shape)
            if value is None or list(value.shape) == sizes or len(set(sizes)) < len(sizes):
                continue
            if sorted(value.shape) == sorted(sizes):
                order = tuple(list(value.shape).index(size) for size in sizes)
                orders.setdefault(target.output.name, order)
    return orders


def _double(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach().to(torch.float64)
    return value


def _in_order(target: Target, value: Tensor, orders: Mapping[str, tuple[int, ...]]) -> Tensor:
    """A tensor whose axes are in another order, or one of size one too many, as it should be."""
    order = orders.get(target.output.name)
    if order is not None and value.dim() == len(order):
        return value.permute(order)
    if value.shape != target.shape and value.squeeze().shape == _squeezed(target):
        return value.reshape(target.shape)
    return value


def _squeezed(target: Target) -> torch.Size:
    return torch.Size(size for size in target.shape if size != 1)


def _is_right(computation: Computation, evidence: Evidence) -> bool:
    return not _wrong_outputs(computation, evidence)


def _wrong_outputs(computation: Computation, evidence: Evidence) -> set[str]:
    evaluation = Evaluation(computation, evidence.inputs, evidence.dtype)
    return {
        name
        for name in evidence.actual
        if not _agrees(evidence, name, evaluation.output(name, (), {}))
    }


def _agrees(evidence: Evidence, name: str, predicted: Tensor | None) -> bool:
    if predicted is None:
        return False
    return distance(evidence.actual[name], predicted, *evidence.tolerances[name]) <= 1.0


def _wrong_stage(
    computation: Computation, evidence: Sequence[Evidence], seen: str | None
) -> str | None:
    """The first wrong stage: the one seen in a trace, where the outputs by themselves allow it."""
    possible = _stages_by_relation(computation, evidence)
    return seen if not possible or seen in possible else possible[-1]


def _stages_by_relation(computation: Computation, evidence: Sequence[Evidence]) -> list[str]:
    """Where the mistake may be as far as the outputs tell by themselves; the last is surely wrong.

    An output that follows rightly from the other outputs as returned is not where the mistake is,
    nor is a stage that an output which is right comes from.
    """
    for each in evidence:
        evaluation = Evaluation(computation, each.inputs, each.dtype)
        origins = {n: _origin(computation, evaluation, s) for n, s in computation.outputs.items()}
        wrong = _wrong_outputs(computation, each)
        vouched: set[str] = set()
        for name in each.actual.keys() - wrong:
            vouched |= computation.before(computation.outputs[name])
        names = [stage.name for stage in computation.stages]
        for name in sorted(wrong, key=lambda name: names.index(origins[name])):
            given = [
                Choice("", "", {origins[other]: _constant(each.actual[other])})
                for other in each.actual
                if other != name
            ]
            if not _agrees(each, name, evaluation.output(name, given, {})):
                within = computation.before(
                    computation.outputs[name] if origins[name] in vouched else origins[name]
                )
                return [stage for stage in names if stage in within - vouched]
    return []


def _origin(computation: Computation, evaluation: Evaluation, stage: str) -> str:
    """The stage that an output is made at: one that only hands on its source does not count."""
    steps = {each.name: each.right for each in computation.stages}
    while True:
        sources = [name for name in parameters(steps[stage]) if name in steps]
        if len(sources) != 1:
            return stage
        here, there = (evaluation.stage(name, (), {}) for name in (stage, sources[0]))
        if here is None or there is None or not torch.equal(here, there):
            return stage
        stage = sources[0]


def _constant(value: Tensor) -> Callable[[], Tensor]:
    return lambda: value


def _subject(
    answered: Sequence[Answered], evidence: Sequence[Evidence]
) -> tuple[Answered, Evidence] | None:
    """The case to trace: failed, in full precision, of sizes that differ, and small."""
    by_name = {each.case: each for each in evidence}
    failed = [each for each in answered if each.failed and each.prepared.case.name in by_name]
    pairs = [(each, by_name[each.prepared.case.name]) for each in failed]
    return min(pairs, key=lambda pair: _awkwardness(pair[0], pair[1]), default=None)


def _awkwardness(answered: Answered, evidence: Evidence) -> tuple[bool, bool, int]:
    dims = answered.prepared.case.dims.values()
    coarse = evidence.dtype not in (torch.float32, torch.float64)
    degenerate = min(dims, default=2) < 2 or len(set(dims)) < len(dims)
    return coarse, degenerate, sum(value.numel() for value in evidence.actual.values())


def _place(
    computation: Computation,
    answered: Answered,
    evidence: Evidence,
    found: Sequence[Explanation],
    tracer: Tracer,
) -> Place:
    """Trace the case and lay the recorded tensors beside the stages."""
    traced = tracer(replace(answered.prepared.main.call, cotangents=None, gradients=()))
    evaluation = Evaluation(computation, evidence.inputs, evidence.dtype)
    inputs = [value for value in evidence.inputs.values() if isinstance(value, Tensor)]
    choices, constants = (found[0].choices, found[0].constants) if found else ((), {})
    return locate(computation, evaluation, inputs, traced, choices, constants)


def _with_traps(
    problem: Problem, known: Diagnosis, found: Sequence[Explanation], cases: int
) -> Diagnosis:
    """The explanation in words, before the contract mistakes that are known already."""
    if not found:
        return known
    first, *others = found
    traps = [named_trap(problem.traps[trap]) for trap in first.traps]
    rest = [trap for trap in known.traps if trap.id not in first.traps]
    titles = " and ".join(trap.title for trap in [*traps, *rest])
    return replace(
        known,
        traps=(*traps, *rest),
        summary=f"{titles}.",
        alternatives=tuple(other.traps for other in others),
        explained_cases=known.failed_cases,
        case=None,
        evidence=f"what was returned is just what this gives, in {cases} of {cases} cases.",
    )


def _with_place(known: Diagnosis, place: Place, source: bytes) -> Diagnosis:
    """The place, with the line as it was submitted; an exception's own line stays."""
    placed = with_line(known, place.line, source)
    stage = place.stage or known.first_wrong_stage
    if place.line is None:
        return replace(placed, first_wrong_stage=stage)
    right_is_there = _quoted(source, place.last_right_line) is not None
    return replace(
        placed,
        first_wrong_stage=stage,
        last_right_line=place.last_right_line if right_is_there else None,
        right_stage=place.right_stage,
    )


def with_line(known: Diagnosis, line: int | None, source: bytes) -> Diagnosis:
    """The diagnosis with a line of the file, quoted from the submitted bytes; none out of range."""
    quoted = _quoted(source, line)
    return known if quoted is None else replace(known, line=line, source=quoted)


def _quoted(source: bytes, line: int | None) -> str | None:
    """A line as it was submitted; None out of range, for its number comes from the fork."""
    lines = source.decode("utf-8-sig", errors="replace").split("\n")
    return lines[line - 1].strip()[:200] if line is not None and 0 < line <= len(lines) else None
