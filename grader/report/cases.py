"""The cases of a report on a terminal: one failing case in full, and every case in a line."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from grader.report.disclosure import HIDDEN
from grader.report.layout import Glyphs, Hanging
from grader.report.parts import (
    NOT_FAILED,
    duration_text,
    findings,
    frames,
    heading,
    indented,
    printed,
    score_text,
    verdict_text,
    verdict_words,
)
from grader.report.text import clean, one_line, plural
from grader.results import CaseResult, Report, Verdict

Told = set[tuple[str, ...]]
"""The kinds of failure that a reader has been told of already."""


def showcase(report: Report) -> CaseResult | None:
    """The failing case to look at first: one that may be shown whole, the earliest of these.

    A problem's author puts the small cases first.
    """
    failing = [case for case in report.cases if case.verdict not in NOT_FAILED]
    whole = (case for case in failing if not is_cut_down(case))
    return next(whole, failing[0] if failing else None)


def is_cut_down(case: CaseResult) -> bool:
    """Whether a hidden case was cut down for a learner: its findings are then its hint or none."""
    return case.visibility == "hidden" and all(f.check == HIDDEN for f in case.findings)


def full_cases(report: Report, signs: Glyphs, *, verbose: bool) -> list[list[RenderableType]]:
    """The failing case to look at, or with `verbose` all that have something to show."""
    if verbose:
        shown = [case for case in report.cases if _has_detail(case)]
    else:
        first = showcase(report)
        is_told = first is None or first.findings == report.findings
        shown = [] if first is None or is_told or not _has_detail(first) else [first]
    return [_full(case, signs, verbose=verbose) for case in shown]


def case_lines(report: Report, signs: Glyphs, *, wide: bool) -> list[RenderableType]:
    """One line a case, and the message of each failure that differs from those told before.

    Wide: in columns, with the duration. Narrow: as a sentence. Cases that were not run, all for
    one reason, are one line together.
    """
    if not report.cases:
        return []
    not_run = [case for case in report.cases if _is_not_run(case)]
    run = [case for case in report.cases if not _is_not_run(case)]
    widths = (
        max((len(verdict_words(case.verdict)) for case in run), default=0),
        max((len(score_text(case)) for case in run), default=0),
    )
    told = _told(report)
    lines: list[RenderableType] = [heading("Cases")]
    for case in run:
        line = _columns(case, signs, *widths) if wide else _sentence(case, signs)
        lines.append(line)
        lines.extend(_remark(case, told, line.prefix.cell_len if wide else 6))
    return [*lines, _folded(not_run, signs)] if not_run else lines


def _is_not_run(case: CaseResult) -> bool:
    """Whether the grading had ended before this case, or never began."""
    return case.verdict is Verdict.SKIPPED and any(f.check == "skipped" for f in case.findings)


def _folded(cases: list[CaseResult], signs: Glyphs) -> RenderableType:
    sign = verdict_text(Verdict.SKIPPED, signs)[:2]
    were = "was" if len(cases) == 1 else "were"
    reason = clean(cases[0].findings[0].message)
    body = Text(f"{plural(len(cases), 'case')} {were} not run: {reason}")
    return Hanging(Text("  ").append_text(sign), body)


def _full(case: CaseResult, signs: Glyphs, *, verbose: bool) -> list[RenderableType]:
    lines: list[RenderableType] = [heading(f'Case "{one_line(case.name)}"')]
    if case.description:
        lines.append(indented(case.description, style="dim"))
    lines.extend(findings(case.findings, signs, verbose=verbose))
    lines.extend(frames(case.frames, signs, verbose=verbose))
    lines.extend(printed(case.output, signs, cut=case.output_cut, verbose=verbose))
    return lines


def _has_detail(case: CaseResult) -> bool:
    return bool(case.findings or case.frames or case.output) and not is_cut_down(case)


def _columns(case: CaseResult, signs: Glyphs, verdict_width: int, score_width: int) -> Hanging:
    prefix = Text("  ").append_text(verdict_text(case.verdict, signs, width=verdict_width))
    prefix.append(f"  {score_text(case):>{score_width}}  ")
    name = Text(one_line(case.name))
    if case.visibility == "hidden":
        name.append("  hidden", "dim")
    if case.duration_s > 0:
        name.append(f"  {duration_text(case.duration_s)}", "dim")
    return Hanging(prefix, name)


def _sentence(case: CaseResult, signs: Glyphs) -> Hanging:
    body = verdict_text(case.verdict, signs)
    sign, body = body[:2], body[2:]
    body.append(f" {score_text(case)}: ", "not bold default")
    body.append(one_line(case.name), "not bold default")
    return Hanging(Text("  ").append_text(sign), body)


def _told(report: Report) -> Told:
    """Failures that need no further word: the case shown in full, or all when all are explained."""
    failing = [case for case in report.cases if case.verdict not in NOT_FAILED]
    diagnosis = report.diagnosis
    explained = diagnosis is not None and diagnosis.traps
    if diagnosis is None or not explained or diagnosis.explained_cases < len(failing):
        failing = [case for case in [showcase(report)] if case is not None and _has_detail(case)]
    return {_kind(case) for case in failing if case.findings}


def _remark(case: CaseResult, told: Told, indent: int) -> Iterator[RenderableType]:
    """The first message of a case, unless one of its kind was told already."""
    if case.verdict is Verdict.JUDGE_ERROR:
        message = case.findings[0].message if case.findings else "the grader itself failed here"
    elif case.verdict is Verdict.ACCEPTED or not case.findings or _kind(case) in told:
        return
    else:
        message = case.findings[0].message
        told.add(_kind(case))
    yield Hanging(Text(" " * indent), Text(clean(message), style="dim"))


def _kind(case: CaseResult) -> tuple[str, ...]:
    """What makes two failures alike. Hints and reasons for skipping: what they say."""
    first = case.findings[0]
    text = first.message if first.check == HIDDEN or case.verdict is Verdict.SKIPPED else ""
    return (case.verdict, first.check, first.kind, first.output or "", text)
