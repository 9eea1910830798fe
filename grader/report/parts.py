"""The parts that terminal reports are made of: verdicts, findings, frames, printed text."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from grader.report.layout import Glyphs, Hanging, Pointed
from grader.report.text import (
    MESSAGE_LIMIT,
    OUTPUT_LIMIT,
    clean,
    first_lines,
    one_line,
    plural,
    points,
)
from grader.results import CaseResult, Finding, Frame, Report, Verdict

OUTPUT_LINES = 12
FINDINGS_SHOWN = 4
FRAMES_SHOWN = 6

NOT_FAILED = frozenset({Verdict.ACCEPTED, Verdict.SKIPPED, Verdict.JUDGE_ERROR})
"""Verdicts that say nothing against the solution."""

_STYLES = {
    Verdict.ACCEPTED: "green",
    Verdict.SKIPPED: "yellow",
    Verdict.JUDGE_ERROR: "magenta",
}


def verdict_text(verdict: Verdict, signs: Glyphs, *, width: int = 0) -> Text:
    """Sign and word, in the colour of the verdict."""
    sign = {
        Verdict.ACCEPTED: signs.right,
        Verdict.SKIPPED: signs.skipped,
        Verdict.JUDGE_ERROR: signs.judge,
    }.get(verdict, signs.wrong)
    return Text(f"{sign} {verdict_words(verdict):<{width}}", style=_STYLES.get(verdict, "red"))


def verdict_words(verdict: Verdict) -> str:
    """`wrong answer` for `wrong_answer`."""
    return verdict.value.replace("_", " ")


def score_text(scored: Report | CaseResult) -> str:
    """`61.5/100`."""
    return f"{points(scored.score)}/{points(scored.max_score)}"


def duration_text(duration_s: float) -> str:
    """Milliseconds up to a tenth of a second, then seconds; never `0 ms`."""
    if duration_s >= 0.0995:
        return f"{duration_s:.1f} s"
    return f"{max(duration_s * 1000, 0.1):.{0 if duration_s >= 0.001 else 1}f} ms"


def heading(text: str) -> Text:
    return Text(text, style="bold underline")


def indented(text: str, style: str = "") -> RenderableType:
    """A paragraph of a block."""
    return Hanging(Text("  "), Text(clean(text), style=style))


def code(line: int, source: str, signs: Glyphs, column: int | None = None) -> RenderableType:
    """A line of the solution with its number, and a caret below one of its columns."""
    prefix = Text(f"  {line:>4} {signs.bar} ", style="dim")
    text = _on_one_line(source).strip()
    if column is None:
        return Hanging(prefix, Text(text))
    return Pointed(prefix, text, len(_on_one_line(source[: column - 1])) + 1)


def _on_one_line(source: str) -> str:
    return clean(source, MESSAGE_LIMIT).replace("\n", " ").expandtabs(4)


def findings(
    found: tuple[Finding, ...], signs: Glyphs, *, told: str = "", verbose: bool = False
) -> Iterator[RenderableType]:
    """Messages and helps, the first ones; a message that was `told` already is not told again."""
    shown = found if verbose else found[:FINDINGS_SHOWN]
    mark = f"  {signs.bullet} " if len(shown) > 1 else "  "
    for finding in shown:
        if finding.message != told:
            yield Hanging(Text(mark), Text(clean(finding.message)))
        if finding.help:
            prefix = Text(" " * len(mark)).append("help: ", "cyan")
            yield Hanging(prefix, Text(clean(finding.help)))
    if len(found) > len(shown):
        yield indented(f"and {plural(len(found) - len(shown), 'more finding')}", style="dim")


def frames(
    stack: tuple[Frame, ...], signs: Glyphs, *, verbose: bool = False
) -> Iterator[RenderableType]:
    """The learner's own lines, the innermost last; of a deep recursion the last ones only."""
    shown = stack if verbose else stack[-FRAMES_SHOWN:]
    if len(stack) > len(shown):
        yield indented(f"({plural(len(stack) - len(shown), 'frame')} above not shown)", style="dim")
    for frame in shown:
        yield indented(f"line {frame.line}, in {one_line(frame.function)}")
        if frame.source.strip():
            yield code(frame.line, frame.source, signs, frame.column)


def printed(
    output: str, signs: Glyphs, *, cut: bool, verbose: bool = False
) -> Iterator[RenderableType]:
    """The start of what the solution printed, and what of it is missing."""
    lines, more = first_lines(clean(output, OUTPUT_LIMIT), 10**9 if verbose else OUTPUT_LINES)
    if not lines:
        return
    yield indented("it printed:")
    for line in lines:
        yield Hanging(Text(f"    {signs.bar} ", style="dim"), Text(line))
    notes = [plural(more, "more line")] if more else []
    notes += ["the rest was cut at the output limit"] if cut else []
    if notes:
        yield indented(f"({'; '.join(notes)})", style="dim")
