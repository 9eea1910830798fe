"""A report as JSON: the contract that other programs read. `format_version` 1.

One solution is one object; several are one object with a list under `solutions`, written as they
come, so that a class of thousands is never held in memory. Scores are numbers that never round up
to the maximum; a value that JSON cannot carry (NaN) is an error here, not in the reader.
"""

from __future__ import annotations

import json
import math
from decimal import Decimal
from types import TracebackType
from typing import TextIO

from grader.report.text import MESSAGE_LIMIT, NAME_LIMIT, clean
from grader.results import CaseResult, Diagnosis, Finding, Isolation, NamedTrap, Report

FORMAT_VERSION = 1


def to_json(report: Report) -> dict[str, object]:
    """The report as plain data, its keys in the order of the contract."""
    return {
        "format_version": FORMAT_VERSION,
        "problem": report.problem,
        "problem_hash": report.problem_hash,
        "solution": clean(report.solution, NAME_LIMIT),
        "solution_hash": report.solution_hash,
        "device": report.device,
        "seed": report.seed,
        "verdict": report.verdict.value,
        "score": number(report.score, report.max_score),
        "max_score": number(report.max_score),
        "cases": [_case(case) for case in report.cases],
        "diagnosis": None if report.diagnosis is None else _diagnosis(report.diagnosis),
        "isolation": _isolation(report.isolation),
        "versions": dict(report.versions),
        "duration_s": _seconds(report.duration_s),
    }


def dumps(document: object, *, ascii_only: bool = False) -> str:
    """One JSON text. `ascii_only` for a stream that is not UTF-8."""
    return json.dumps(document, ensure_ascii=ascii_only, allow_nan=False, indent=2)


def number(exact: Decimal, maximum: Decimal | None = None) -> int | float:
    """An int when whole, else the nearest float, below `maximum` unless `exact` is not."""
    if exact == exact.to_integral_value():
        return int(exact)
    nearest = float(exact)
    if maximum is not None and exact < maximum <= Decimal(nearest):
        return math.nextafter(float(maximum), -math.inf)
    return nearest


class JsonStream:
    """Writes one document to `stream`, a report at a time; `several` decides its form.

    The document is closed on leaving the `with` block, an interrupt included, so that what was
    written is always whole JSON. A single report that never came leaves the stream empty.
    """

    def __init__(self, stream: TextIO, *, several: bool, ascii_only: bool = False) -> None:
        self._stream = stream
        self._several = several
        self._ascii_only = ascii_only
        self._separator = "\n"

    def __enter__(self) -> JsonStream:
        if self._several:
            self._stream.write(f'{{"format_version": {FORMAT_VERSION}, "solutions": [')
        return self

    def add(self, report: Report) -> None:
        """Append one report and flush it."""
        text = dumps(to_json(report), ascii_only=self._ascii_only)
        self._stream.write(f"{self._separator}{text}" if self._several else f"{text}\n")
        self._separator = ",\n"
        self._stream.flush()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._several and not isinstance(error, BrokenPipeError):
            self._stream.write("\n]}\n")
            self._stream.flush()


def _case(case: CaseResult) -> dict[str, object]:
    return {
        "name": case.name,
        "visibility": case.visibility,
        "verdict": case.verdict.value,
        "score": number(case.score, case.max_score),
        "max_score": number(case.max_score),
        "duration_s": _seconds(case.duration_s),
        "findings": [_finding(finding) for finding in case.findings],
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "check": finding.check,
        "output": None if finding.output is None else clean(finding.output, NAME_LIMIT),
        "message": clean(finding.message, MESSAGE_LIMIT),
        "help": clean(finding.help, MESSAGE_LIMIT),
    }


def _diagnosis(diagnosis: Diagnosis) -> dict[str, object]:
    return {
        "traps": [_trap(trap) for trap in diagnosis.traps],
        "alternatives": [list(ids) for ids in diagnosis.alternatives],
        "explained_cases": diagnosis.explained_cases,
        "failed_cases": diagnosis.failed_cases,
        "first_wrong_stage": diagnosis.first_wrong_stage,
        "line": diagnosis.line,
        "source": None if diagnosis.source is None else clean(diagnosis.source, NAME_LIMIT),
        "last_right_line": diagnosis.last_right_line,
        "summary": clean(diagnosis.summary, MESSAGE_LIMIT),
    }


def _trap(trap: NamedTrap) -> dict[str, object]:
    return {"id": trap.id, "stage": trap.stage, "title": trap.title, "hint": trap.hint}


def _isolation(isolation: Isolation) -> dict[str, object]:
    return {
        "namespaces": isolation.namespaces,
        "landlock": isolation.landlock,
        "memory": isolation.memory,
        "network": isolation.network,
    }


def _seconds(duration_s: float) -> float:
    """To the microsecond; a clock gives no more."""
    return round(duration_s, 6)
