"""Many reports on a terminal: a line for each as it comes, and a summary kept in counters.

The counters hold no report, so that memory stays flat over a class of thousands.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from grader.report.layout import Command, Glyphs, Hanging, glyphs
from grader.report.parts import score_text, verdict_text, verdict_words
from grader.report.terminal import repeat_words
from grader.report.text import one_line, plural, points
from grader.results import Report, Verdict

MISTAKES_SHOWN = 5


@dataclass(slots=True)
class Tally:
    """What is known of a batch so far; `add` each report as it comes."""

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    mistakes: Counter[str] = field(default_factory=Counter)
    score: Decimal = Decimal(0)
    max_score: Decimal = Decimal(0)
    judge_errors: int = 0
    not_graded: int = 0
    first_failure: Report | None = None

    @property
    def graded(self) -> int:
        return self.verdicts.total()

    @property
    def all_accepted(self) -> bool:
        return not self.not_graded and self.verdicts[Verdict.ACCEPTED] == self.graded > 0

    def add(self, report: Report) -> None:
        self.verdicts[report.verdict] += 1
        self.judge_errors += has_judge_error(report)
        self.score += report.score
        self.max_score += report.max_score
        if report.diagnosis is not None:
            self.mistakes.update(one_line(trap.title) for trap in report.diagnosis.traps)
        if report.verdict is not Verdict.ACCEPTED and self.first_failure is None:
            self.first_failure = report


def has_judge_error(report: Report) -> bool:
    """Whether the grader failed on this solution, or on one case of it."""
    verdicts = {report.verdict, *(case.verdict for case in report.cases)}
    return Verdict.JUDGE_ERROR in verdicts


def render_batch_line(report: Report) -> RenderableType:
    """One solution among many: verdict, points, path, and why in a few words."""
    return _Line(report)


def render_batch_summary(
    tally: Tally,
    command: str = "python cli.py grade",
    options: tuple[str, ...] = (),
    *,
    total: int | None = None,
) -> RenderableType:
    """Counts by verdict, the commonest mistakes, and the command that shows the first failure.

    `total` is how many were to be graded, when it was interrupted before.
    """
    return _Summary(tally, command, options, total)


def headline(report: Report) -> str:
    """Why a solution was not accepted, in one line; empty when it was."""
    if report.verdict is Verdict.ACCEPTED:
        return ""
    diagnosis = report.diagnosis
    if diagnosis is not None and diagnosis.traps:
        return "; ".join(one_line(trap.title) for trap in diagnosis.traps)
    if diagnosis is not None and diagnosis.summary:
        return one_line(diagnosis.summary)
    return one_line(report.findings[0].message if report.findings else report.summary)


@dataclass(frozen=True, slots=True)
class _Line:
    report: Report

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        report = self.report
        verdict = verdict_text(report.verdict, glyphs(options), width=13)
        sign, words = verdict[:2], verdict[2:]
        body = Text.assemble(
            words, f" {score_text(report):>9}  ", (one_line(report.solution), "bold")
        )
        reason = headline(report)
        if reason:
            body.append(f": {reason}")
        yield Hanging(sign, body)


@dataclass(frozen=True, slots=True)
class _Summary:
    tally: Tally
    command: str
    options: tuple[str, ...]
    total: int | None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        tally, signs = self.tally, glyphs(options)
        yield Text()
        if tally.mistakes:
            yield Hanging(Text("mistakes: "), Text(_mistakes(tally)))
        yield Hanging(Text(), self._counts())
        failure = tally.first_failure
        if failure is not None:
            yield Command(Text("repeat: "), repeat_words(failure, self.command, self.options))
        yield from self._interrupted(signs)

    def _counts(self) -> Text:
        tally = self.tally
        parts = [
            f"{count} {verdict_words(verdict)}"
            for verdict in Verdict
            if (count := tally.verdicts[verdict])
        ]
        parts += [f"{tally.not_graded} not graded"] if tally.not_graded else []
        text = Text(f"{plural(tally.graded, 'solution')}: ", style="bold")
        text.append(", ".join(parts) or "none graded")
        if tally.graded:
            text.append(f"; {points(tally.score)} of {points(tally.max_score)} points", "not bold")
        return text

    def _interrupted(self, signs: Glyphs) -> RenderResult:
        if self.total is not None and self.tally.graded < self.total:
            left = self.total - self.tally.graded
            text = f"interrupted: {left} of {plural(self.total, 'solution')} left ungraded"
            yield Hanging(Text(f"{signs.judge} ", "yellow"), Text(text))


def _mistakes(tally: Tally) -> str:
    shown = tally.mistakes.most_common(MISTAKES_SHOWN)
    return "; ".join(f"{title} ({count})" for title, count in shown)
