"""Whether the cases tell every mutant of the reference from the reference: each is put to them, in
the sandbox as a solution would be, until the first case refuses it.

The case that has refused most so far comes first, and hidden cases before public ones: that the
public ones are needed for a refusal is worth a remark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from grader.audit.bench import Progress, silent
from grader.audit.equivalents import FILE, Declarations, read_declarations
from grader.audit.mutation import Mutation, mutations
from grader.grading.casework import put_case
from grader.grading.exam import Exam
from grader.grading.loading import load_solution, open_fork
from grader.problem.model import Case, Problem
from grader.proof import Mutant, Remark, Weight
from grader.results import Verdict
from grader.sandbox.client import Server
from grader.sandbox.messages import Ended, Ready

JOBS = 2
TIMES_REFERENCE = 50.0
LEAST_S = 1.0
"""A mutant that takes longer than both hangs; it is given four times as long before that is said,
for a busy machine proves nothing."""
PATIENCE = 4.0
WHAT = "mutants"


def check_mutants(
    exam: Exam, server: Server, source: str, progress: Progress = silent, jobs: int = JOBS
) -> tuple[list[Mutant], list[Remark]]:
    """All mutants of the reference's source with the first case that refuses each.

    Remarks are of those that no case refuses and nobody declared equivalent, of those that no
    hidden case refuses, and of what is wrong with the declarations.
    """
    declared = read_declarations(exam.problem.folder)
    trial = _Trial(exam, server)
    source = source.removeprefix("\ufeff")
    times_s, refusing = trial.of_reference(source)
    if refusing is not None:
        return [], [*declared.remarks, _not_run(refusing)]
    mutants = []
    for each, killer in trial.killers(_natural(exam.problem, source), times_s, progress, jobs):
        reason = declared.reasons.get(each.id, "") if killer is None else ""
        mutants.append(Mutant(each.id, each.line, each.operator, each.diff, killer, reason))
    public = {case.name for case in exam.problem.cases if case.visibility == "public"}
    remarks = [remark for mutant in mutants for remark in _of_mutant(mutant, public, exam.problem)]
    return mutants, [*declared.remarks, *_of_declarations(declared, mutants), *remarks]


def _natural(problem: Problem, source: str) -> list[Mutation]:
    """All mutants; those without gradients only where a case or a trap is about gradients."""
    asked = any(case.gradients for case in problem.cases) or any(
        rule.check == "gradient" for trap in problem.traps.values() for rule in trap.recognised_by
    )
    return [each for each in mutations(source) if asked or each.operator != "detached"]


@dataclass(frozen=True, slots=True)
class _Refusal:
    """The case that refuses a mutant. `late`: because no answer came in time."""

    case: str
    late: bool = False


@dataclass(frozen=True, slots=True)
class _Trial:
    """Puts programs to the cases of an exam, each in a fork of its own."""

    exam: Exam
    server: Server

    def of_reference(self, source: str) -> tuple[dict[str, float], str | None]:
        """How long the reference takes in each case, and the case that refuses it, if any."""
        problem, raw, times_s = self.exam.problem, source.encode(), {}
        limits = problem.limits
        with open_fork(self.server, problem) as session:
            loaded = load_solution(session, problem, raw, f"{problem.id}.py", limits.import_s)
            for case in problem.cases:
                if not isinstance(loaded, Ready):
                    return {}, case.name
                outcome = put_case(self.exam, case, session, loaded, raw, limits.case_s)
                if not outcome.full_points:
                    return {}, case.name
                times_s[case.name] = outcome.duration_s
        return times_s, None

    def killers(
        self,
        found: Sequence[Mutation],
        times_s: Mapping[str, float],
        progress: Progress,
        jobs: int,
    ) -> Iterator[tuple[Mutation, str | None]]:
        """Each mutant with the case that refuses it."""
        put = partial(self._refusal, cases=_ordered(self.exam.problem), times_s=times_s)
        with ThreadPoolExecutor(max_workers=jobs) as pool:
            refusals = pool.map(put, found)
            for done, (mutation, refusal) in enumerate(zip(found, refusals, strict=True), start=1):
                progress(WHAT, done, len(found))
                yield mutation, None if refusal is None else refusal.case

    def _refusal(
        self, mutation: Mutation, cases: Sequence[Case], times_s: Mapping[str, float]
    ) -> _Refusal | None:
        raw = mutation.source.encode()
        refusal = self._put(raw, cases, times_s, 1.0)
        if refusal is not None and refusal.late:
            return self._put(raw, cases, times_s, PATIENCE)
        return refusal

    def _put(
        self, raw: bytes, cases: Sequence[Case], times_s: Mapping[str, float], patience: float
    ) -> _Refusal | None:
        problem = self.exam.problem
        import_s = min(problem.limits.import_s, 2 * LEAST_S * patience)
        with open_fork(self.server, problem) as session:
            loaded = load_solution(session, problem, raw, f"{problem.id}.py", import_s)
            if not isinstance(loaded, Ready):
                return _Refusal(cases[0].name, late=isinstance(loaded, Ended))
            for case in cases:
                enough_s = max(LEAST_S, TIMES_REFERENCE * times_s[case.name]) * patience
                outcome = put_case(self.exam, case, session, loaded, raw, enough_s)
                if not outcome.full_points:
                    return _Refusal(case.name, outcome.verdict is Verdict.TIME_LIMIT)
        return None


def _ordered(problem: Problem) -> list[Case]:
    """Hidden cases first, in the problem's order: the case that refuses a mutant is then the first
    that does, and has that for a reason to be there."""
    return sorted(problem.cases, key=lambda case: case.visibility == "public")


def _of_mutant(mutant: Mutant, public: set[str], problem: Problem) -> Iterator[Remark]:
    if mutant.killed_by is None and not mutant.declared:
        yield Remark(
            "mutant-survives",
            Weight.FAULT,
            f"{_told(mutant, problem)} is accepted by all {len(problem.cases)} cases.",
            f"add a case that tells it, or declare it in {FILE}: "
            f"- {{mutant: {mutant.id}, reason: ...}}",
        )
    elif mutant.killed_by in public:
        yield Remark(
            "mutant-public-only",
            Weight.WARNING,
            f'{_told(mutant, problem)} is accepted by all hidden cases; "{mutant.killed_by}", '
            "which is public, rejects it.",
            "add a hidden case that tells it.",
        )


def _told(mutant: Mutant, problem: Problem) -> str:
    """`new` in the place of `old`, with its line."""
    lines = mutant.diff.splitlines()
    old, new = (
        " ".join(line[1:].strip() for line in lines if line[:1] == sign) for sign in ("-", "+")
    )
    new = f"`{new}`" if new else "nothing"
    return f"{problem.reference.name}:{mutant.line}: {new} in the place of `{old}`"


def _of_declarations(declared: Declarations, mutants: Sequence[Mutant]) -> Iterator[Remark]:
    known = {mutant.id: mutant for mutant in mutants}
    for id, place in declared.places.items():
        mutant = known.get(id)
        if mutant is None:
            yield Remark(
                "mutant-declared-unknown",
                Weight.WARNING,
                f'{place}: the reference has no mutant "{id}".',
                "its line has changed: delete the entry, or declare what takes its place.",
            )
        elif mutant.killed_by is not None:
            yield Remark(
                "mutant-declared-killed",
                Weight.FAULT,
                f'{place}: "{id}" is declared equivalent, and the case "{mutant.killed_by}" '
                "rejects it.",
                "delete the entry.",
            )


def _not_run(case: str) -> Remark:
    return Remark(
        "mutants-not-run",
        Weight.FAULT,
        f'the case "{case}" rejects the reference itself, so its mutants prove nothing.',
        "mend the reference first.",
    )
