"""An audit as Markdown, for a pull request or a wiki."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grader.proof import Audit, Kill, Remark, Weight
from grader.report.audit_table import (
    HEADINGS,
    LEAST,
    SIGNS,
    case_counts,
    error_text,
    figures,
    rows,
    survivors,
    verdict_words,
)
from grader.report.text import one_line, plural

_MEANING = re.compile(r"([\\`*_{}\[\]<>#|~$])")


def audits_markdown(audits: Sequence[Audit]) -> str:
    """One document of all."""
    return "\n".join(line for audit in audits for line in _audit(audit)).rstrip() + "\n"


def _audit(audit: Audit) -> Iterator[str]:
    verdict, counts = verdict_words(audit)
    yield f"# {_text(audit.title)}\n"
    yield f"**{verdict}**: {counts}. {audit.problem}, {plural(audit.seeds, 'seed')}.\n"
    for weight in Weight:
        yield from _remarks([each for each in audit.remarks if each.weight is weight], weight)
    yield from _survivors(audit)
    yield from _cases(audit)
    yield from _table("Traps by case", audit, audit.kills)
    yield from _table("Trivial answers by case", audit, audit.trivial)
    yield from _legend(audit)
    yield from _figures(audit)


def _remarks(remarks: Sequence[Remark], weight: Weight) -> Iterator[str]:
    if remarks:
        yield f"## {HEADINGS[weight]}\n"
        for remark in remarks:
            help = f" {_text(remark.help)}" if remark.help else ""
            yield f"- **{remark.check}**: {_text(remark.message)}{help}"
        yield ""


def _survivors(audit: Audit) -> Iterator[str]:
    left = survivors(audit)
    if left:
        yield "## Mutants that are accepted\n"
        for mutant in left:
            yield f"`{mutant.id}`, line {mutant.line}:\n"
            yield from (f"    {line}" for line in mutant.diff.splitlines())
            yield ""


def _cases(audit: Audit) -> Iterator[str]:
    yield "## Cases\n"
    yield "| | case | traps clearly rejected | by no case before | mutants |"
    yield "|---:|---|---:|---:|---:|"
    for number, each in enumerate(case_counts(audit), start=1):
        yield f"| {number} | {_text(each.name)} | {each.traps} | {each.first} | {each.mutants} |"
    yield ""


def _table(title: str, audit: Audit, kills: Sequence[Kill]) -> Iterator[str]:
    table = rows(kills, audit.cases)
    if table:
        numbers = " | ".join(str(number) for number in range(1, len(audit.cases) + 1))
        yield f"## {title}\n"
        yield f"| | {numbers} | least |"
        yield f"|---|{':-:|' * len(audit.cases)}---:|"
        for row in table:
            signs = " | ".join(SIGNS[cell] for cell in row.cells)
            yield f"| {_text(row.name)} | {signs} | {error_text(row.least)} |"
        yield ""


def _legend(audit: Audit) -> Iterator[str]:
    if audit.kills or audit.trivial:
        yield from (f"- {sign.strip() or 'blank'} {cell.value}" for cell, sign in SIGNS.items())
        yield f"- least: {LEAST}\n"


def _figures(audit: Audit) -> Iterator[str]:
    lines = figures(audit)
    if lines:
        yield "## Figures\n"
        yield from (f"- {_text(line)}" for line in lines)
        yield ""


def _text(text: str) -> str:
    """One line whose characters mean themselves."""
    return _MEANING.sub(r"\\\1", one_line(text, 2_000))
