"""What the reference uses of each limit: others are slower, and machines are busy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grader.audit.bench import Bench
from grader.proof import Remark, Usage, Weight
from grader.results import Report, Verdict

ROOM = 4.0
"""A limit should be so many times what the reference uses."""
_BROKEN = {
    Verdict.TIME_LIMIT: "time",
    Verdict.MEMORY_LIMIT: "memory",
    Verdict.OUTPUT_LIMIT: "output",
}
_PEAK = re.compile(r"^audit: (\d+) (\d+)$", re.MULTILINE)
_MEASURED = """


import resource as _resource


def _resident():
    return _resource.getrusage(_resource.RUSAGE_SELF).ru_maxrss


_right, _idle = {entry}, _resident()


def {signature}:
    answer = _right({arguments})
    print("audit:", _idle, _resident() - _idle)
    return answer
"""


def check_limits(bench: Bench, reports: Sequence[Report]) -> tuple[list[Usage], list[Remark]]:
    """Times of the reference's own grades, memory of one more; which limits are close."""
    broken = list(_broken(reports))
    used = [*_times(bench, reports), *_memory(bench)]
    close = [_close(each) for each in used if each.used * ROOM > each.limit]
    return used, broken or close


def _broken(reports: Sequence[Report]) -> Iterator[Remark]:
    told = set()
    for report in reports:
        verdicts = [(report.verdict, report.findings)]
        verdicts += [(case.verdict, case.findings) for case in report.cases]
        for verdict, findings in verdicts:
            if verdict in _BROKEN and findings and verdict not in told:
                told.add(verdict)
                yield Remark(
                    "limit-broken",
                    Weight.FAULT,
                    f"the reference breaks the limit of {_BROKEN[verdict]}: {findings[0].message}",
                    "raise `limits`, or make the cases smaller.",
                )


def _times(bench: Bench, reports: Sequence[Report]) -> Iterator[Usage]:
    limits = bench.problem.limits
    cases = [case.duration_s for report in reports for case in report.cases]
    totals = [sum(case.duration_s for case in report.cases) for report in reports]
    around = [report.duration_s - total for report, total in zip(reports, totals, strict=True)]
    yield Usage("import", max(around, default=0.0), limits.import_s, "s")
    yield Usage("one case", max(cases, default=0.0), limits.case_s, "s")
    yield Usage("all cases", max(totals, default=0.0), limits.total_s, "s")


def _memory(bench: Bench) -> Iterator[Usage]:
    """Beyond what a process holds that has loaded torch and the solution, and done nothing."""
    problem = bench.problem
    source = problem.reference.read_text(encoding="utf-8") + _MEASURED.format(
        entry=problem.entry,
        signature=problem.signature,
        arguments=", ".join(each.name for each in problem.inputs),
    )
    path = bench.write("measured", source)
    printed = "\n".join(case.output for case in bench.grade(path).cases)
    found = [(int(idle), int(more)) for idle, more in _PEAK.findall(printed)]
    if found:
        idle = max(idle for idle, _ in found)
        more = max(more for _, more in found)
        yield Usage("memory", more / 1024, problem.limits.memory_mb - idle / 1024, "MB")


def _close(usage: Usage) -> Remark:
    return Remark(
        "limit-close",
        Weight.WARNING,
        f"the reference uses {usage.used:.3g} {usage.unit} of {usage.limit:.3g} {usage.unit} for "
        f"{usage.resource}; a limit should be {ROOM:g} times as much.",
        "raise `limits`, or make the cases smaller.",
    )
