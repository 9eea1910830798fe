"""An audit on a terminal: what must be mended, the table trap by case, figures, the summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from grader.proof import Audit, Kill, Remark, Weight
from grader.report.audit_table import (
    HEADINGS,
    LEAST,
    SIGNS,
    Cell,
    Row,
    case_counts,
    error_text,
    figures,
    rows,
    survivors,
    verdict_words,
)
from grader.report.layout import Command, Glyphs, Hanging, glyphs, stacked
from grader.report.parts import duration_text, heading
from grader.report.text import clean, plural, quoted

_ASCII = {Cell.CLEAR: "#", Cell.SOME: "+", Cell.WEAK: "-", Cell.ACCEPTED: ".", Cell.ABSENT: " "}
_STYLES = {Weight.FAULT: "red", Weight.WARNING: "yellow", Weight.NOTE: "cyan"}
_GROUP = 5
"""So many columns of the table stand together, to be counted at a glance."""
_ERROR_WIDTH = 7


def render_audit(audit: Audit, command: str = "python cli.py audit") -> RenderableType:
    """The whole of one audit."""
    return _Whole(audit, command)


@dataclass(frozen=True, slots=True)
class _Whole:
    audit: Audit
    command: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        audit, signs = self.audit, glyphs(options)
        cells = _ASCII if options.ascii_only else SIGNS
        yield from stacked(
            [
                _header(audit, signs),
                *(_remarks(audit, weight, signs) for weight in Weight),
                _survivors(audit, signs),
                _cases(audit),
                _table("Traps by case", audit, audit.kills, cells, options.max_width),
                _table("Trivial answers by case", audit, audit.trivial, cells, options.max_width),
                _legend(cells) if audit.kills or audit.trivial else [],
                _figures(audit, signs),
                self._closing(signs),
            ]
        )

    def _closing(self, signs: Glyphs) -> list[RenderableType]:
        audit = self.audit
        verdict, counts = verdict_words(audit)
        sign, style = (signs.right, "green") if audit.passed else (signs.wrong, "red")
        words = Text(verdict, style)
        words.append(f": {counts} ({duration_text(audit.duration_s)})", "default")
        lines: list[RenderableType] = [Hanging(Text(f"{sign} ", style), words)]
        if not audit.passed:
            lines.append(Command(Text("repeat: "), (self.command, quoted(audit.problem))))
        return lines


def _header(audit: Audit, signs: Glyphs) -> list[RenderableType]:
    facts = [audit.problem, plural(len(audit.cases), "case"), plural(audit.seeds, "seed")]
    return [
        Hanging(Text(), Text(clean(audit.title), style="bold")),
        Hanging(Text(), Text(signs.dot.join(facts))),
    ]


def _remarks(audit: Audit, weight: Weight, signs: Glyphs) -> list[RenderableType]:
    found = [remark for remark in audit.remarks if remark.weight is weight]
    if not found:
        return []
    return [heading(HEADINGS[weight]), *(line for each in found for line in _remark(each, signs))]


def _remark(remark: Remark, signs: Glyphs) -> Iterator[RenderableType]:
    text = Text(f"{remark.check}: ", _STYLES[remark.weight])
    text.append(clean(remark.message), "default")
    yield Hanging(Text(f"  {signs.bullet} "), text)
    if remark.help:
        yield Hanging(Text("    ").append("help: ", "cyan"), Text(clean(remark.help)))


def _survivors(audit: Audit, signs: Glyphs) -> list[RenderableType]:
    """The mutants that are accepted, as they differ from the reference."""
    left = survivors(audit)
    lines: list[RenderableType] = [heading("Mutants that are accepted")] if left else []
    for mutant in left:
        lines.append(Hanging(Text("  "), Text(f"{mutant.id}, line {mutant.line}", style="bold")))
        for line in clean(mutant.diff).splitlines():
            lines.append(Hanging(Text(f"    {signs.bar} ", style="dim"), Text(line)))
    return lines


def _cases(audit: Audit) -> list[RenderableType]:
    counts = case_counts(audit)
    width = max((len(each.name) for each in counts), default=0)
    head = Text(f"{'':<{width}}  traps  first  mutants", style="dim")
    lines: list[RenderableType] = [heading("Cases"), Hanging(Text(" " * 6), head)]
    for number, each in enumerate(counts, start=1):
        body = f"{each.name:<{width}}  {each.traps:>5}  {each.first:>5}  {each.mutants:>7}"
        lines.append(Hanging(Text(f"{number:>4}  "), Text(body)))
    words = "traps: that it clearly rejects; first: and no case before it; mutants: it rejected"
    lines.append(Hanging(Text("      "), Text(words, style="dim")))
    return lines if counts else []


def _table(
    title: str, audit: Audit, kills: Sequence[Kill], cells: dict[Cell, str], max_width: int
) -> list[RenderableType]:
    """One line a row; as many cases beside each other as the terminal is wide."""
    table = rows(kills, audit.cases)
    if not table:
        return []
    width = max(len(row.name) for row in table)
    room = max_width - width - 4 - _ERROR_WIDTH
    per_block = max(_GROUP, room * _GROUP // (_GROUP + 1) // _GROUP * _GROUP)
    lines: list[RenderableType] = [heading(title)]
    for start in range(0, len(audit.cases), per_block):
        span = range(start, min(start + per_block, len(audit.cases)))
        last = span.stop == len(audit.cases)
        lines += _block(table, span, cells, width, least=last and table[0].kind != "trivial")
    return lines


def _block(
    table: Sequence[Row], span: range, cells: dict[Cell, str], width: int, *, least: bool
) -> Iterator[RenderableType]:
    """The columns of these cases: their numbers from top to bottom, then the rows."""
    tens, ones = (_grouped(f"{number + 1:>2}"[digit] for number in span) for digit in (0, 1))
    if tens.strip():
        yield _line(f"  {'':{width}}  {tens}", "dim")
    yield _line(f"  {'case':>{width}}  {ones}{'  least' if least else ''}", "dim")
    for row in table:
        signs = _grouped(cells[row.cells[number]] for number in span)
        end = f"  {error_text(row.least):>5}" if least else ""
        yield _line(f"  {row.name:<{width}}  {signs}{end}")


def _grouped(signs: Iterable[str]) -> str:
    every = "".join(signs)
    return " ".join(every[at : at + _GROUP] for at in range(0, len(every), _GROUP))


def _line(text: str, style: str = "") -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ignore")


def _legend(cells: dict[Cell, str]) -> list[RenderableType]:
    lines: list[RenderableType] = []
    for cell, sign in cells.items():
        shown = sign.strip() or "blank"
        lines.append(Hanging(Text(f"  {shown}  "), Text(cell.value)))
    lines.append(Hanging(Text("  least  "), Text(f"{LEAST}; all: nothing can be compared")))
    return lines


def _figures(audit: Audit, signs: Glyphs) -> list[RenderableType]:
    lines: list[RenderableType] = [
        Hanging(Text(f"  {signs.bullet} "), Text(line)) for line in figures(audit)
    ]
    return [heading("Figures"), *lines] if lines else []
