"""Why a solution fails: contract mistakes from the findings, mistakes in the computation from a
search over the problem's stages, and the first wrong line from a trace.

Precision before recall: a mistake is named only when it explains every value that was returned.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from grader.grading.exam import PreparedCase, Target
from grader.grading.locate import Place, Recorded, locate
from grader.grading.recognise import named_trap
from grader.grading.search import Evidence, Explanation, distance, explain
from grader.problem.model import DEFAULT_TOLERANCES, Problem, ScalarInput, Tolerance
from grader.results import Diagnosis
from grader.sandbox.messages import Call, TraceStep
from grader.stages import Choice, Computation, Evaluation

Tracer = Callable[[Call], Sequence[TraceStep]]


class StagesFailed(Exception):
    """A problem's stages.py cannot be loaded, or does not fit the problem."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A case and the tensors that the solution returned in it, by output."""

    prepared: PreparedCase
    tensors: Mapping[str, Tensor]
    failed: bool


def load_computation(problem: Problem) -> Computation | None:
    """The problem's COMPUTATION; None when it has no stages.py. StagesFailed when it is broken."""
    path = problem.folder / "stages.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location(f"stages_{problem.id}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        computation = module.COMPUTATION
    except Exception as error:
        raise StagesFailed(f"{path}: {type(error).__name__}: {error}") from error
    inputs, outputs = ([each.name for each in some] for some in (problem.inputs, problem.outputs))
    mistakes = computation.mistakes(inputs, outputs) + _unmatched(problem, computation)
    if mistakes:
        raise StagesFailed(f"{path}: {'; '.join(mistakes)}")
    return computation  # type: ignore[no-any-return]


def explain_values(
    problem: Problem,
    computation: Computation,
    answered: Sequence[Answered],
    known: Diagnosis,
    source: bytes,
    tracer: Tracer,
) -> Diagnosis:
    """Add to a diagnosis of contract mistakes what the values tell."""
    evidence = [each for each in map(_evidence(problem), answered) if each.actual]
    found = explain(computation, evidence)
    if not found and all(_is_right(computation, each) for each in evidence):
        return known
    subject = _subject(answered, evidence)
    place = Place(None, None, None, None)
    if subject is not None:
        place = _place(computation, *subject, found, tracer)
    stage = place.stage or _stage_by_relation(computation, evidence, found)
    told = _with_traps(problem, known, found, len(evidence))
    return _with_place(told, replace(place, stage=stage), source)


def _unmatched(problem: Problem, computation: Computation) -> list[str]:
    """Trap ids must stand in both files, at the same stage."""
    here = {choice.trap: choice.stage for choice in computation.choices()}
    there = {trap.id: trap.stage for trap in problem.traps.values() if trap.stage != "contract"}
    return [
        f'trap "{trap}" is at stage {here.get(trap)} here and {there.get(trap)} in problem.yaml'
        for trap in sorted(here.keys() | there.keys())
        if here.get(trap) != there.get(trap)
    ]


def _evidence(problem: Problem) -> Callable[[Answered], Evidence]:
    """How an answered case becomes evidence: all in float64, defaults filled in."""
    defaults = {i.name: i.default for i in problem.inputs if isinstance(i, ScalarInput)}

    def make(answered: Answered) -> Evidence:
        main = answered.prepared.main
        inputs: dict[str, Any] = {**defaults}
        for argument in main.call.arguments:
            inputs[argument.name] = _double(argument.value)
        targets = {target.output.name: target for target in main.targets}
        shaped = {
            name: _in_order(targets[name], value)
            for name, value in answered.tensors.items()
            if name in targets
        }
        return Evidence(
            case=answered.prepared.case.name,
            inputs=inputs,
            dtype=getattr(torch, answered.prepared.case.dtype),
            actual={name: _double(value) for name, value in shaped.items()},
            tolerances={
                name: (_coarser(target, answered.tensors[name]), target.scale)
                for name, target in targets.items()
                if name in answered.tensors
            },
            failed=answered.failed,
        )

    return make


def _double(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach().to(torch.float64)
    return value


def _in_order(target: Target, value: Tensor) -> Tensor:
    """A tensor whose axes are in another order, or one too many, as it should have been."""
    if value.shape == target.shape:
        return value
    squeezed = value.reshape(target.shape) if value.squeeze().shape == _squeezed(target) else value
    if squeezed.shape == target.shape:
        return squeezed
    sizes = list(target.shape)
    if sorted(value.shape) == sorted(sizes) and len(set(sizes)) == len(sizes):
        return value.permute([list(value.shape).index(size) for size in sizes])
    return value


def _squeezed(target: Target) -> torch.Size:
    return torch.Size(size for size in target.shape if size != 1)


def _coarser(target: Target, value: Tensor) -> Tolerance:
    """The tolerance of the dtype that has fewer digits: the case's or the answer's."""
    own = DEFAULT_TOLERANCES.get(str(value.dtype).removeprefix("torch."), target.tolerance)
    return Tolerance(max(own.atol, target.tolerance.atol), max(own.rtol, target.tolerance.rtol))


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


def _stage_by_relation(
    computation: Computation, evidence: Sequence[Evidence], found: Sequence[Explanation]
) -> str | None:
    """Which stage is wrong as far as the outputs tell by themselves.

    An output that follows rightly from the other outputs as returned is not where the mistake is.
    """
    if found:
        return found[0].choices[0].stage
    for each in evidence:
        wrong = _wrong_outputs(computation, each)
        if not wrong:
            continue
        evaluation = Evaluation(computation, each.inputs, each.dtype)
        for name in wrong:
            given = [
                Choice("", "", {computation.outputs[other]: _constant(each.actual[other])})
                for other in each.actual
                if other != name
            ]
            if not _agrees(each, name, evaluation.output(name, given, {})):
                return computation.outputs[name]
    return None


def _constant(value: Tensor) -> Callable[[], Tensor]:
    return lambda: value


def _subject(
    answered: Sequence[Answered], evidence: Sequence[Evidence]
) -> tuple[Answered, Evidence] | None:
    """The case to trace: failed, in full precision, the smallest that has no size of one or zero."""
    by_name = {each.case: each for each in evidence}
    pairs = [(a, by_name[a.prepared.case.name]) for a in answered if a.failed
             and a.prepared.case.name in by_name]  # fmt: skip
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
    call = replace(answered.prepared.main.call, cotangents=None, gradients=())
    recorded = [Recorded(step.line, step.what, step.value) for step in tracer(call)]
    evaluation = Evaluation(computation, evidence.inputs, evidence.dtype)
    choices, constants = (found[0].choices, found[0].constants) if found else ((), {})
    return locate(computation, evaluation, recorded, choices, constants)


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
        evidence=f"what was returned is just what this gives, in {cases} of {cases} cases.",
    )


def _with_place(known: Diagnosis, place: Place, source: bytes) -> Diagnosis:
    """The place, with the line as it was submitted; an exception's own line stays."""
    lines = source.decode("utf-8-sig", errors="replace").splitlines()
    line = place.line if place.line is not None and 0 < place.line <= len(lines) else None
    if line is None:
        return replace(known, first_wrong_stage=place.stage or known.first_wrong_stage)
    return replace(
        known,
        first_wrong_stage=place.stage,
        line=line,
        source=lines[line - 1].strip()[:200],
        last_right_line=place.last_right_line,
        right_stage=place.right_stage,
    )
