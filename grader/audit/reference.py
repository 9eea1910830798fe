"""The reference by itself: usable, accepted at every seed, the same as stages.py; and the starter.

The first question comes before all others: what a reference contradicts is told and then left out,
so that one wrong example does not hide what else is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import torch

from grader.audit.bench import FAILED, Bench, dtype_of, given
from grader.audit.ways import error_in
from grader.grading.exam import Exam, PreparedCase
from grader.grading.loading import NOT_IMPLEMENTED
from grader.grading.oracle import ReferenceFailed
from grader.problem.model import DEFAULT_TOLERANCES, Case, Problem
from grader.proof import Remark, Weight
from grader.results import CaseResult, Report, Verdict
from grader.stages import Computation, Evaluation

_STATED = 1e-5
"""Examples are rounded to about six digits."""


def usable(problem: Problem, seed: int) -> tuple[Problem, list[Remark]]:
    """The problem without the examples and the cases that its reference contradicts, and these.

    Raises ReferenceFailed where there is no reference to begin with.
    """
    exam = Exam(problem, seed, "cpu")
    cases: list[Case] = []
    remarks: list[Remark] = []
    for case in problem.cases:
        try:
            exam.prepared(case)
        except ReferenceFailed as error:
            kept, found = _without_example(problem, case, seed, str(error))
            cases += kept
            remarks += found
        else:
            cases.append(case)
    names = {case.name for case in cases}
    kept_needs = [replace(c, needs=tuple(n for n in c.needs if n in names)) for c in cases]
    return replace(problem, cases=tuple(kept_needs)), remarks


def check_reference(bench: Bench) -> tuple[list[Report], list[Remark]]:
    """Grade the reference twice at each seed. The reports of the first times."""
    twice = [exam for exam in bench.exams for _ in range(2)]
    path = bench.problem.reference
    reports = [
        report
        for _, report in bench.each("the reference", twice, lambda exam: bench.grade(path, exam))
    ]
    first, second = reports[::2], reports[1::2]
    return first, [*_rejected(first), *_undecided(first, second), *_silent(first[0])]


def check_starter(bench: Bench) -> list[Remark]:
    """The starter must run and be told that nothing is there yet."""
    path = bench.problem.starter
    report = bench.grade(path)
    if report.verdict is Verdict.ACCEPTED:
        return [_starter("starter-accepted", "is accepted as it is.", "take the answer out of it.")]
    if NOT_IMPLEMENTED in report.findings:
        return []
    valued = {case.name for case in bench.problem.cases if case.device != "meta"}
    passed = [c.name for c in report.cases if c.name in valued and c.verdict is Verdict.ACCEPTED]
    if passed:
        what = f"passes {', '.join(passed)} as it is"
        return [_starter("starter-scores", f"{what}.", "no case may be passed by doing nothing.")]
    what = f"is rejected, but not as not implemented: {report.summary}"
    return [_starter("starter-unclear", what, "let it end in `raise NotImplementedError`.")]


def check_right_path(bench: Bench, computation: Computation) -> list[Remark]:
    """The right steps of stages.py must give what the reference gives, in double precision."""
    worst: dict[tuple[str, str], tuple[float, int]] = {}
    for exam in bench.exams:
        for prepared in bench.valued(exam):
            for output, error in _disagreements(bench.problem, computation, prepared):
                key = (prepared.case.name, output)
                worst[key] = max(worst.get(key, (0.0, 0)), (error, exam.seed))
    return [
        Remark(
            "stages-disagree",
            Weight.FAULT,
            f'case "{case}": `{output}` of the right steps in stages.py is not that of the '
            f"reference; they differ by {error:.3g} times what float64 allows (seed {seed}).",
            "one of the two is wrong.",
        )
        for (case, output), (error, seed) in worst.items()
    ]


def _without_example(
    problem: Problem, case: Case, seed: int, told: str
) -> tuple[list[Case], list[Remark]]:
    """The case without the values it states, if that is all that is wrong with it."""
    bare = replace(case, expected={}, needs=())
    try:
        prepared = Exam(replace(problem, cases=(bare,)), seed, "cpu").prepared(bare)
    except ReferenceFailed:
        return [], [Remark("reference-fails", Weight.FAULT, f"{told}.")]
    return [replace(case, expected={})], list(_wrong_examples(case, prepared))


def _wrong_examples(case: Case, prepared: PreparedCase) -> Iterator[Remark]:
    for target in prepared.main.targets:
        stated = case.expected.get(target.output.name)
        if stated is None or target.values is None:
            continue
        numbers = _numbers(stated.values, case.dims)
        values = torch.tensor(numbers, dtype=torch.float64).reshape(target.shape)
        apart = (values - target.values.to(torch.float64)).abs()
        allowed = _STATED * (target.scale + target.values.abs())
        if not bool((apart <= allowed).all()):
            place = int((apart / allowed).nan_to_num(nan=torch.inf).argmax())
            here, there = (float(each.flatten()[place]) for each in (values, target.values))
            yield Remark(
                "example-wrong",
                Weight.FAULT,
                f'case "{case.name}" states {here:.7g} in `{target.output.name}` where the '
                f"reference gives {there:.7g}.",
                "correct `expected`, and the statement with it.",
            )


def _numbers(values: object, dims: Mapping[str, int]) -> object:
    if isinstance(values, tuple):
        return [_numbers(value, dims) for value in values]
    return values.evaluate(dims)  # type: ignore[attr-defined]


def _rejected(reports: Sequence[Report]) -> Iterator[Remark]:
    """Each case that the reference fails, once, with the seeds at which it does."""
    seeds: dict[str, list[int]] = {}
    example: dict[str, str] = {}
    for report in reports:
        for finding in report.findings:
            seeds.setdefault("", []).append(report.seed)
            example.setdefault("", f"{report.verdict}: {finding.message}")
        for case in report.cases:
            if case.verdict in FAILED:
                seeds.setdefault(case.name, []).append(report.seed)
                example.setdefault(case.name, _why(case))
    for name, failed in seeds.items():
        what = f'case "{name}"' if name else "the file"
        yield Remark(
            "reference-rejected",
            Weight.FAULT,
            f"{what} rejects the reference at {len(failed)} of {len(reports)} seeds, "
            f"at first with {failed[0]}: {example[name]}",
            f"see it: grade the reference with --seed {failed[0]}.",
        )


def _why(case: CaseResult) -> str:
    found = case.findings[0].message if case.findings else ""
    return f"{case.verdict}: {found}"


def _undecided(first: Sequence[Report], second: Sequence[Report]) -> Iterator[Remark]:
    for one, other in zip(first, second, strict=True):
        differ = [
            a.name for a, b in zip(one.cases, other.cases, strict=True) if a.verdict != b.verdict
        ]
        if differ:
            yield Remark(
                "verdict-changes",
                Weight.FAULT,
                f"the reference, graded twice with seed {one.seed}, gets different verdicts in "
                f"{', '.join(differ)}.",
                "is a limit too close, or is there chance in the reference?",
            )


def _silent(report: Report) -> Iterator[Remark]:
    for case in report.cases:
        if case.verdict is Verdict.SKIPPED and report.verdict is Verdict.ACCEPTED:
            told = case.findings[0].message if case.findings else ""
            yield Remark(
                "case-inconclusive",
                Weight.WARNING,
                f'case "{case.name}" says nothing of the reference itself: {told}',
            )


def _starter(check: str, what: str, help: str) -> Remark:
    return Remark(check, Weight.FAULT, f"the starter {what}", help)


def _disagreements(
    problem: Problem, computation: Computation, prepared: PreparedCase
) -> Iterator[tuple[str, float]]:
    evaluation = Evaluation(computation, given(problem, prepared), dtype_of(prepared))
    for target in prepared.main.targets:
        exact = replace(target, dtype="float64", tolerance=DEFAULT_TOLERANCES["float64"])
        error = error_in(exact, evaluation.output(target.output.name, (), {}))
        if error > 1.0:
            yield target.output.name, error
