"""Why a solution fails: contract mistakes from the findings, mistakes in the computation from a
search over the problem's stages, and the first wrong line from a trace.

Precision before recall: a mistake is named only when it explains every value that was returned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import torch
from torch import Tensor

from grader.grading.exam import PreparedCase, Target, coarser_tolerance, gradient_scale
from grader.grading.locate import Place, locate
from grader.grading.recognise import named_trap, with_traps
from grader.grading.search import Evidence, Explanation, distance, explain
from grader.grading.source import Source
from grader.grading.values import check_gradient
from grader.problem.model import DEFAULT_TOLERANCES, Problem, ScalarInput, Tolerance
from grader.results import CaseResult, Diagnosis, Finding, Verdict
from grader.sandbox.messages import Call, Traced
from grader.stages import Choice, Computation, Evaluation, parameters

Tracer = Callable[[Call], Traced]


@dataclass(frozen=True, slots=True)
class Answered:
    """A case and the tensors that the solution returned in it, by output."""

    prepared: PreparedCase
    tensors: Mapping[str, Tensor]
    failed: bool


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A case that failed without tensors to compare, or that was skipped, as it would have come;
    with the gradients that came, by input."""

    prepared: PreparedCase
    result: CaseResult
    gradients: Mapping[str, Tensor | None] | None = None


def explain_values(
    problem: Problem,
    computation: Computation,
    answered: Sequence[Answered],
    unanswered: Callable[[], Sequence[Unanswered]],
    known: Diagnosis,
    source: bytes,
    tracer: Tracer,
    contract_line: Callable[[Diagnosis], Diagnosis],
) -> Diagnosis:
    """Add to a diagnosis of contract mistakes what the values tell.

    `unanswered` is asked only where the values are explained: is there more that is wrong?
    `contract_line` adds the line of a contract mistake, where that is all there is.
    """
    evidence = _evidence(problem, answered)
    found = explain(computation, evidence)
    if not found and all(_is_right(computation, each) for each in evidence):
        return known
    if not found and known.traps and known.explained_cases == known.failed_cases:
        known = contract_line(known)
        if known.line is not None:
            return known
    subject = _subject(answered, evidence)
    place = Place() if subject is None else _place(computation, *subject, found, tracer, source)
    stage = found[0].choices[0].stage if found else _wrong_stage(computation, evidence, place.stage)
    if found:
        more = _unexplained(computation, found[0], unanswered(), problem)
        if any(_is_off(computation, found[0], each) for each in evidence if each.exact):
            more.append(_NARROWED)
        known = with_traps(problem, known, more)
    else:
        known = replace(known, relation=_relation(computation, evidence))
    told = _with_traps(problem, known, found, _closeness(computation, found, evidence))
    return _with_place(told, replace(place, stage=stage), source)


def _evidence(problem: Problem, answered: Sequence[Answered]) -> list[Evidence]:
    """Answered cases as evidence: all in float64, defaults filled in, axes in the right order."""
    orders = _axis_orders(answered)
    narrowed = _is_narrowed(answered)
    made = []
    for each in answered:
        targets = {t.output.name: t for t in each.prepared.main.targets}
        known = {name: value for name, value in each.tensors.items() if name in targets}
        exact = {
            n: (coarser_tolerance(targets[n], v.dtype), targets[n].scale) for n, v in known.items()
        }
        is_single = narrowed and each.failed and each.prepared.case.dtype == "float64"
        made.append(
            Evidence(
                case=each.prepared.case.name,
                inputs=_given(problem, each.prepared),
                dtype=getattr(torch, each.prepared.case.dtype),
                actual={n: _double(_in_order(targets[n], v, orders)) for n, v in known.items()},
                tolerances={n: (_SINGLE, scale) for n, (_, scale) in exact.items()}
                if is_single
                else exact,
                exact=exact if is_single else {},
                failed=each.failed,
                apart=not each.failed and 0 in each.prepared.case.dims.values(),
            )
        )
    told = [each for each in made if each.actual]
    return [each for each in told if each.dtype not in _HALVES] or told


_NARROWED = CaseResult(
    name="",
    visibility="hidden",
    verdict=Verdict.WRONG_ANSWER,
    score=Decimal(0),
    max_score=Decimal(0),
    duration_s=0.0,
    findings=(Finding("precision", "", "", None, "narrowed"),),
)
"""What a case shows whose values are explained, but for the digits that were lost."""


def _is_off(computation: Computation, found: Explanation, evidence: Evidence) -> bool:
    """Whether the explanation, rounded to single precision, is not what double precision gives."""
    evaluation = Evaluation(computation, evidence.inputs, evidence.dtype)
    for name, actual in evidence.actual.items():
        predicted = evaluation.output(name, found.choices, found.constants)
        if predicted is None or distance(actual, predicted, *evidence.exact[name]) > 1.0:
            return True
    return False


def _unexplained(
    computation: Computation,
    found: Explanation,
    unanswered: Sequence[Unanswered],
    problem: Problem,
) -> list[CaseResult]:
    """The cases in which the traps found would have given something of the right form, and the
    solution did not: another mistake is made there. What its values are is explained already."""
    left = []
    for each in unanswered:
        given = _given(problem, each.prepared)
        evaluation = Evaluation(computation, given, getattr(torch, each.prepared.case.dtype))
        predicted = {
            target.output.name: evaluation.output(
                target.output.name, found.choices, found.constants
            )
            for target in each.prepared.main.targets
        }
        is_of_form = all(
            value is not None
            and tuple(value.shape) == target.shape
            and bool(value.isfinite().all())
            for target in each.prepared.main.targets
            for value in [predicted[target.output.name]]
        )
        findings = [f for f in each.result.findings if f.check not in ("values", "gradient")]
        if each.gradients is not None and not findings:
            findings = _lost_gradients(computation, found, each.prepared, given, each.gradients)
        if is_of_form and findings:
            left.append(replace(each.result, findings=tuple(findings)))
    return left


def _lost_gradients(
    computation: Computation,
    found: Explanation,
    prepared: PreparedCase,
    given: Mapping[str, Any],
    actual: Mapping[str, Tensor | None],
) -> list[Finding]:
    """Gradients that are not those of the explanation: some are lost as well. Only plainly wrong
    ones count, for a mistake may be made in ways that differ in their gradients a little."""
    call = prepared.main.call
    leaves = {name: given[name].clone().requires_grad_() for name in call.gradients}
    dtype = getattr(torch, prepared.case.dtype)
    evaluation = Evaluation(computation, {**given, **leaves}, dtype)
    outputs = [target.output.name for target in prepared.main.targets]
    pairs = [
        (evaluation.output(name or outputs[0], found.choices, found.constants), weight)
        for name, weight in (call.cotangents or {}).items()
    ]
    terms = [
        (output * weight.double()).sum()
        for output, weight in pairs
        if output is not None and output.requires_grad and output.shape == weight.shape
    ]
    if not terms:
        return []
    total = torch.stack(terms).sum()
    gradients = torch.autograd.grad(total, list(leaves.values()), allow_unused=True)
    findings: list[Finding] = []
    for name, expected in zip(leaves, gradients, strict=True):
        if expected is not None and bool(expected.isfinite().all()):
            scale = gradient_scale(expected)
            findings += check_gradient(name, actual.get(name), expected, _PLAINLY, scale)[0]
    return findings


_PLAINLY = Tolerance(atol=1e-2, rtol=1e-2)


def _given(problem: Problem, prepared: PreparedCase) -> dict[str, Any]:
    """The inputs of a case in float64, defaults filled in."""
    scalars = [each for each in problem.inputs if isinstance(each, ScalarInput)]
    defaults = {each.name: each.default for each in scalars if each.default is not None}
    return {**defaults, **{a.name: _double(a.value) for a in prepared.main.call.arguments}}


_HALVES = (torch.float16, torch.bfloat16)
"""Rounding in half precision can turn a choice, such as an argmax: the last evidence to take."""


_SINGLE = DEFAULT_TOLERANCES["float32"]
_MANY = 8


def _is_narrowed(answered: Sequence[Answered]) -> bool:
    """Whether what failed in double precision has no more digits than single precision: it was
    computed so, and the dtype put right at the end. Few numbers may be so by chance."""
    values = [
        value
        for each in answered
        if each.failed
        for value in each.tensors.values()
        if value.dtype is torch.float64
    ]
    are_single = all(bool((value == value.float().double()).all()) for value in values)
    return are_single and sum(value.numel() for value in values) >= _MANY


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
    """A floating tensor in float64; whole numbers, labels say, stay what they are."""
    if isinstance(value, Tensor) and value.is_floating_point():
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


def _relation(computation: Computation, evidence: Sequence[Evidence]) -> str:
    """What the outputs of the first wrong case tell of each other, in words; "" if nothing."""
    for each in evidence:
        evaluation = Evaluation(computation, each.inputs, each.dtype)
        wrong = _wrong_outputs(computation, each)
        origins = {n: _origin(computation, evaluation, s) for n, s in computation.outputs.items()}
        for name in sorted(wrong, key=list(computation.outputs).index):
            others = [
                other
                for other in each.actual
                if other != name and origins[other] in computation.before(computation.outputs[name])
            ]
            if not others:
                continue
            told = " and ".join(f"`{other}`" for other in others)
            given = [Choice("", "", {origins[o]: _constant(each.actual[o])}) for o in others]
            follows = _agrees(each, name, evaluation.output(name, given, {}))
            if follows and wrong & set(others):
                return f"`{name}` follows rightly from {told} as returned: look before that."
            if not follows and not wrong & set(others):
                return f"{told} is right, and `{name}` does not follow from it."
            if not follows:
                return f"`{name}` does not follow from {told} as returned either."
    return ""


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
    """The case to trace: failed, in full precision, of sizes that differ, not large; of those, the
    one that is furthest off, for there the steps on the way show it best."""
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
    source: bytes,
) -> Place:
    """Trace the case and lay the recorded tensors beside the stages."""
    traced = tracer(replace(answered.prepared.main.call, cotangents=None, gradients=()))
    evaluation = Evaluation(computation, evidence.inputs, evidence.dtype)
    inputs = {n: value for n, value in evidence.inputs.items() if isinstance(value, Tensor)}
    choices, constants = (found[0].choices, found[0].constants) if found else ((), {})
    return locate(computation, evaluation, inputs, traced, choices, constants, Source.of(source))


def _with_traps(
    problem: Problem, known: Diagnosis, found: Sequence[Explanation], evidence: str
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
        evidence=evidence,
    )


def _closeness(
    computation: Computation, found: Sequence[Explanation], evidence: Sequence[Evidence]
) -> str:
    """How near what was returned is to what the first explanation gives, in words; the difference
    is relative to the scale of the output. Cases that stand apart may be treated by themselves."""
    if not found:
        return ""
    far = 0.0
    cases = [each for each in evidence if not (found[0].apart and each.apart)]
    for each in cases:
        evaluation = Evaluation(computation, each.inputs, each.dtype)
        for name, actual in each.actual.items():
            predicted = evaluation.output(name, found[0].choices, found[0].constants)
            if predicted is not None and actual.numel():
                scale = max(each.tolerances[name][1], float(predicted.abs().max()))
                far = max(far, distance(actual, predicted, _ABSOLUTE, scale))
    words = "exactly" if far == 0 else f"to {far:.0e}".replace("e-0", "e-")
    of = f"{len(cases)} of {len(evidence)} cases"
    return f"what was returned equals what this gives {words}, in {of}."


_ABSOLUTE = Tolerance(atol=1.0, rtol=0.0)
"""Distances in it are differences in units of the scale."""


def _with_place(known: Diagnosis, place: Place, source: bytes) -> Diagnosis:
    """The place, with the line as it was submitted; an exception's own line stays."""
    placed = with_line(known, place.line, source)
    stage = place.stage or known.first_wrong_stage
    if place.line is None:
        return replace(placed, first_wrong_stage=stage)
    right = _quoted(source, place.last_right_line)
    return replace(
        placed,
        first_wrong_stage=stage,
        last_right_line=place.last_right_line if right else None,
        last_right_source=right,
        right_stage=place.right_stage if right else None,
    )


def with_line(known: Diagnosis, line: int | None, source: bytes) -> Diagnosis:
    """The diagnosis with a line of the file, quoted from the submitted bytes; none out of range."""
    quoted = _quoted(source, line)
    return known if quoted is None else replace(known, line=line, source=quoted)


def _quoted(source: bytes, line: int | None) -> str | None:
    """A line as it was submitted; None out of range, for its number comes from the fork."""
    lines = Source.of(source).lines
    return lines[line - 1].strip()[:200] if line is not None and 0 < line <= len(lines) else None
