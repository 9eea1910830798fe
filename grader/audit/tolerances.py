"""Whether the tolerances leave room to every right form, and to nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.audit.bench import FAILED, Bench, files_beside, largest_errors
from grader.problem.model import DEFAULT_TOLERANCES, Problem, Tolerance
from grader.proof import Remark, Weight
from grader.results import Report, Verdict

ROOM = 1 / 3
"""A right solution may use so much of a tolerance; other machines round differently."""
HALF_ROOM = 1.0
"""In half precision code that never leaves it is right, and rounds as much as may be."""
_HALVES = ("float16", "bfloat16")
LOOSE = 10.0
"""Times a default: what is more is looked at."""
_UNUSED = 1e-2


def check_right_forms(bench: Bench) -> tuple[list[Report], list[Remark]]:
    """Every other right solution that is beside the problem: accepted, and well inside."""
    files = files_beside(bench.problem, "right")
    reports = [report for _, report in bench.each("right forms", files, bench.grade)]
    return reports, [remark for report in reports for remark in _rejected(report)]


def too_tight(problem: Problem, reports: Sequence[Report]) -> Iterator[Remark]:
    """Right solutions that come near a tolerance, the nearest of each case."""
    dtypes = {case.name: case.dtype for case in problem.cases}
    nearest: dict[str, tuple[float, str]] = {}
    for report in reports:
        for case in report.cases:
            if case.verdict is Verdict.ACCEPTED and case.largest_error is not None:
                found = (case.largest_error, report.solution)
                nearest[case.name] = max(nearest.get(case.name, (0.0, "")), found)
    for name, (error, solution) in nearest.items():
        room = HALF_ROOM if dtypes[name] in _HALVES else ROOM
        if error > room:
            yield Remark(
                "tolerance-too-tight",
                Weight.FAULT,
                f'case "{name}" ({dtypes[name]}): {solution} is right and uses {error:.2g} of '
                f"the tolerance, more than {room:.2g}.",
                "loosen the tolerance, or draw gentler inputs.",
            )


def check_loose(problem: Problem, reports: Sequence[Report]) -> list[Remark]:
    """Tolerances far above the default of which right solutions use next to nothing."""
    used = largest_errors(problem, reports)
    remarks = []
    for where, dtype, tolerance in _tolerances(problem):
        default = DEFAULT_TOLERANCES.get(dtype)
        times = 0.0 if default is None else _times(tolerance, default)
        if times > LOOSE and used.get(dtype, 0.0) < _UNUSED:
            remarks.append(
                Remark(
                    "tolerance-too-loose",
                    Weight.WARNING,
                    f"{where}: the tolerance of {dtype} is {times:,.0f} times the default, and "
                    f"right solutions use no more than {used.get(dtype, 0.0):.1g} of it.",
                    "tighten it: what it lets through is not seen.",
                )
            )
    return remarks


def _rejected(report: Report) -> Iterator[Remark]:
    if report.verdict in FAILED:
        failed = next((case.name for case in report.cases if case.verdict in FAILED), None)
        where = "" if failed is None else f' in case "{failed}"'
        yield Remark(
            "right-form-rejected",
            Weight.FAULT,
            f"{report.solution} is right and rejected{where}: {report.summary}",
            "a case asks for more than the statement says.",
        )


def _tolerances(problem: Problem) -> Iterator[tuple[str, str, Tolerance]]:
    """Where each tolerance in use is said, the dtype that it is for, and itself."""
    used = {case.dtype for case in problem.cases if case.tolerance is None}
    said: Mapping[str, Tolerance] = problem.tolerances
    for dtype in sorted(used):
        yield "tolerances", dtype, said[dtype]
    for case in problem.cases:
        if case.tolerance is not None:
            yield f'case "{case.name}"', case.dtype, case.tolerance


def _times(tolerance: Tolerance, default: Tolerance) -> float:
    return max(tolerance.atol / default.atol, tolerance.rtol / default.rtol)
