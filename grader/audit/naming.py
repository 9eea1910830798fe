"""Proof that each known mistake gets its own name: what it returns is handed to the diagnosis.

No solution is run. The outputs that a mistake predicts go through the checks of a grade, through
the rules of the contract's traps, and into the search that a real diagnosis makes.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import torch
from torch import Tensor

from grader.audit.bench import HALVES, Bench, dtype_of, given
from grader.audit.ways import Way, outputs_of
from grader.grading.checks import check_answer
from grader.grading.exam import PreparedCase
from grader.grading.recognise import diagnose
from grader.grading.search import Evidence, Explanation, explain
from grader.problem.model import Problem
from grader.proof import Naming, Remark, Weight
from grader.results import CaseResult, Diagnosis, Finding, Verdict
from grader.sandbox.messages import Answer, DictValue, TensorValue, Value
from grader.stages import Computation, Evaluation

_RAISED = Finding("error", "a step raises", kind="raised")


@dataclass(frozen=True, slots=True)
class Predicted:
    """What a grade of a solution with these mistakes would see."""

    evidence: tuple[Evidence, ...]
    contract: Diagnosis
    """What the findings alone tell, by the rules of the contract's traps."""


class Examiner:
    """Grades predictions on all cases of a problem at one seed, and asks why they fail."""

    def __init__(self, bench: Bench, computation: Computation) -> None:
        self._problem = bench.problem
        self._computation = computation
        self._cases = [
            _Subject(each, given(bench.problem, each), computation)
            for each in bench.valued(bench.exam)
        ]

    def predict(self, *ways: Way) -> Predicted:
        """The evidence and the findings of all cases that would be put to it."""
        results: dict[str, CaseResult] = {}
        evidence = []
        for each in self._cases:
            case = each.prepared.case
            if any(name in results and results[name].findings for name in case.needs):
                results[case.name] = _result(each.prepared, (Finding("needs", ""),), skipped=True)
                continue
            outputs = outputs_of(each.prepared, each.evaluation, *ways)
            findings = _findings(self._problem, each.prepared, outputs)
            results[case.name] = _result(each.prepared, findings)
            if findings != (_RAISED,):
                evidence.append(each.evidence(outputs, failed=bool(findings)))
        fine = [each for each in evidence if each.dtype not in HALVES]
        return Predicted(tuple(fine or evidence), diagnose(self._problem, list(results.values())))

    def explain(self, predicted: Predicted) -> list[Explanation]:
        """The smallest sets of traps that give what was predicted, the closest first."""
        return explain(self._computation, predicted.evidence)


class _Subject:
    """A case with its inputs in float64, and its evaluation, which is kept."""

    def __init__(
        self, prepared: PreparedCase, inputs: Mapping[str, object], computation: Computation
    ) -> None:
        self.prepared = prepared
        self.inputs = inputs
        self.dtype = dtype_of(prepared)
        self.evaluation = Evaluation(computation, inputs, self.dtype)

    def evidence(self, outputs: Mapping[str, Tensor | None], *, failed: bool) -> Evidence:
        targets = {target.output.name: target for target in self.prepared.main.targets}
        return Evidence(
            case=self.prepared.case.name,
            inputs=self.inputs,  # type: ignore[arg-type]
            dtype=self.dtype,
            actual={n: v.to(torch.float64) for n, v in outputs.items() if v is not None},
            tolerances={n: (targets[n].tolerance, targets[n].scale) for n in outputs},
            failed=failed,
        )


def check_names(
    bench: Bench, computation: Computation, ways: Sequence[Way]
) -> tuple[Naming, list[Remark]]:
    """Each way alone: its own trap is named, and no other but those declared to be the same."""
    examiner = Examiner(bench, computation)
    same = declared_same(bench.problem)
    seen: set[frozenset[str]] = set()
    remarks: list[Remark] = []
    named = 0
    for done, way in enumerate(ways):
        bench.progress("names of traps", done, len(ways))
        predicted = examiner.predict(way)
        found = [each.traps for each in examiner.explain(predicted)]
        others = {traps[0] for traps in found if len(traps) == 1} - {way.trap}
        seen |= {frozenset((way.trap, other)) for other in others}
        beside = [trap.id for trap in predicted.contract.traps]
        told = list(_about_names(way, found, same.get(way.trap, frozenset()), beside))
        remarks += told
        named += not told
    return Naming(ways=len(ways), ways_named=named), [*remarks, *_untrue(bench.problem, seen)]


def check_combinations(
    bench: Bench, computation: Computation, ways: Sequence[Way], budget_s: float
) -> tuple[Naming, list[Remark]]:
    """Two mistakes at once, as many pairs as the time allows, in an order drawn at random."""
    examiner = Examiner(bench, computation)
    pairs = list(_pairs(ways))
    random.Random(len(pairs)).shuffle(pairs)
    deadline = time.monotonic() + budget_s
    remarks: list[Remark] = []
    tried = named = inseparable = 0
    for one, other in pairs:
        if time.monotonic() > deadline:
            break
        bench.progress("combinations of traps", tried, len(pairs))
        tried += 1
        predicted = examiner.predict(one, other)
        found = [frozenset(each.traps) for each in examiner.explain(predicted)]
        both = frozenset((one.trap, other.trap))
        if not found and predicted.contract.failed_cases:
            remarks.append(_lost(one, other))
        elif found == [both]:
            named += 1
        else:
            inseparable += 1
    counts = Naming(
        combinations=len(pairs), tried=tried, combinations_named=named, inseparable=inseparable
    )
    return counts, remarks


def declared_same(problem: Problem) -> dict[str, frozenset[str]]:
    """By trap, those that its author declares to give the same values."""
    same: dict[str, set[str]] = {}
    for trap in problem.traps.values():
        for one, other in itertools.permutations((trap.id, *trap.same_as), 2):
            same.setdefault(one, set()).add(other)
    return {trap: frozenset(others) for trap, others in same.items()}


def _about_names(
    way: Way, found: Sequence[tuple[str, ...]], same: frozenset[str], beside: Sequence[str]
) -> Iterator[Remark]:
    """What is wrong with the names that a way got; nothing when it is its own alone."""
    names = [" and ".join(traps) for traps in found]
    own = same | {way.trap}
    strangers = [
        name for name, traps in zip(names, found, strict=True) if not own.issuperset(traps)
    ]
    if not any(len(traps) == 1 and traps[0] in own for traps in found):
        told = f"the diagnosis says {', or '.join(names)}" if names else "nothing is named"
        yield Remark(
            "trap-not-named",
            Weight.FAULT,
            f"{way.label} is not named: {told}.",
            "is another way of it, or an earlier stage, the same step?",
        )
    elif strangers:
        yield Remark(
            "traps-inseparable",
            Weight.FAULT,
            f"{way.label} cannot be told from {', or '.join(strangers)} in any case.",
            "add a case in which they differ, or say `same_as` in problem.yaml.",
        )
    if beside:
        yield Remark(
            "trap-named-beside",
            Weight.FAULT,
            f"{way.label} is also reported as {' and '.join(beside)}, by a rule of the contract.",
            "narrow the `when` of that trap: by kind, by cases, or with `alone`.",
        )


def _untrue(problem: Problem, seen: set[frozenset[str]]) -> Iterator[Remark]:
    """Traps that are declared to be the same, and were always told apart."""
    for trap in problem.traps.values():
        for other in trap.same_as:
            if frozenset((trap.id, other)) not in seen:
                yield Remark(
                    "same-as-untrue",
                    Weight.WARNING,
                    f"{trap.id} and {other} are declared to be the same, and can be told apart.",
                    "take `same_as` out.",
                )


def _pairs(ways: Sequence[Way]) -> Iterator[tuple[Way, Way]]:
    """The first ways of two traps at different stages that do not take each other's place."""
    first: dict[str, Way] = {}
    for way in ways:
        first.setdefault(way.trap, way)
    for one, other in itertools.combinations(first.values(), 2):
        if one.stage != other.stage and one.choice.steps.keys().isdisjoint(other.choice.steps):
            yield one, other


def _lost(one: Way, other: Way) -> Remark:
    return Remark(
        "combination-not-named",
        Weight.WARNING,
        f"{one.label} together with {other.label} is not named at all.",
        "does an estimate of one of them fail beside the other?",
    )


def _findings(
    problem: Problem, prepared: PreparedCase, outputs: Mapping[str, Tensor | None]
) -> tuple[Finding, ...]:
    """What the checks of a grade find in these outputs."""
    values: list[tuple[str, Value]] = []
    for name, value in outputs.items():
        if value is None:
            return (_RAISED,)
        dtype = str(value.dtype).removeprefix("torch.")
        device = prepared.main.call.device
        values.append((name, TensorValue(dtype, tuple(value.shape), device, value)))
    whole = DictValue(tuple(values)) if problem.returns == "dict" else values[0][1]
    return check_answer(problem, prepared.main, Answer(whole, ())).findings


def _result(
    prepared: PreparedCase, findings: tuple[Finding, ...], *, skipped: bool = False
) -> CaseResult:
    verdict = Verdict.WRONG_ANSWER if findings else Verdict.ACCEPTED
    return CaseResult(
        name=prepared.case.name,
        visibility=prepared.case.visibility,
        verdict=Verdict.SKIPPED if skipped else verdict,
        score=Decimal(0),
        max_score=prepared.case.points,
        duration_s=0.0,
        findings=findings,
    )
