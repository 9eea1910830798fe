"""Audits as text: the terminal, Markdown, JSON and HTML."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from io import BytesIO, TextIOWrapper

import pytest
from rich.console import Console

from grader.proof import Audit
from grader.report.audit_html import audits_html
from grader.report.audit_json import audit_json, audits_json
from grader.report.audit_markdown import audits_markdown
from grader.report.audit_table import Cell, case_counts, figures, rows
from grader.report.audit_terminal import render_audit
from grader.report.layout import Trimmed
from tests.audit.audit_samples import BROKEN, CASES, KILLS, SOUND

BROKEN_80 = """\
Scale <b>
scale · 12 cases · 20 seeds

Must be mended
  • trap-not-rejected: a < b is accepted.
    help: add a case.

Look at
  • case-redundant: case "ordinary" shows nothing.

Notes
  • trap-unproved: nothing shows that.

Mutants that are accepted
  compare-1, line 2
    │ @@ -2 +2 @@
    │ -    a < b & c
    │ +    a <= b & c
"""


def shown(audit: Audit, width: int, encoding: str = "utf-8") -> str:
    raw = BytesIO()
    file = TextIOWrapper(raw, encoding=encoding, newline="\n")
    console = Console(file=file, width=width, markup=False, highlight=False, color_system=None)
    console.print(Trimmed(render_audit(audit)), crop=False)
    file.flush()
    return raw.getvalue().decode(encoding)


def test_a_row_is_a_trap_in_all_its_ways() -> None:
    """Clear when each way is clear, and weak, accepted or absent as it is."""
    table = {row.name: row for row in rows(KILLS, CASES)}
    assert list(table) == ["summed", "capped", "tuple"]
    assert table["summed"].cells[:2] == (Cell.SOME, Cell.CLEAR)
    assert table["capped"].cells[:3] == (Cell.ACCEPTED, Cell.WEAK, Cell.CLEAR)
    assert table["tuple"].cells[:3] == (Cell.CLEAR, Cell.ABSENT, Cell.ACCEPTED)
    assert (table["summed"].ways, table["summed"].least) == (2, 12.0)


def test_a_case_is_counted_with_what_it_is_the_first_to_reject() -> None:
    """Traps it rejects clearly in some way, those that no case before it does, and mutants."""
    counts = [(c.traps, c.first, c.mutants) for c in case_counts(SOUND)[:3]]
    assert counts == [(2, 2, 0), (1, 0, 0), (2, 1, 1)]


def test_figures_are_sentences() -> None:
    """One a line, none where nothing is known."""
    assert figures(BROKEN) == [
        "3 of 3 ways to make a trap are named exactly",
        "20 of 1,360 pairs of traps were tried: 18 are named exactly, 2 look just like fewer or "
        "other traps",
        "3 mutants of the reference: 1 rejected, 1 declared equivalent, 1 accepted",
        "largest error of right solutions, in tolerances: float32 0.041, float64 1.1e-06",
        "the reference uses, of its limits: one case 0.015 of 4 s",
    ]
    bare = replace(SOUND, mutants=(), largest_errors={}, usage=(), naming=type(SOUND.naming)())
    assert figures(bare) == []


def test_a_terminal_of_80_columns() -> None:
    """What must be mended comes first, with help; then diffs, the table and the verdict."""
    text = shown(BROKEN, 80)
    assert text.startswith(BROKEN_80)
    assert "\n    case  12345 67890 12  least\n" in text
    assert "\n   2  ordinary      1      0        0\n" in text
    assert "\n  summed  ◐●●●● ●●●●● ●●     12\n" in text
    assert "\n  capped  ·○●·· ····· ··     70\n" in text
    assert "\n  tuple   ● ·               all\n" in text
    assert text.endswith(
        "✗ not sound: 1 fault, 1 warning, 1 note (12.3 s)\nrepeat: python cli.py audit scale\n"
    )


@pytest.mark.parametrize("width", [24, 40, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """A table that does not fit is shown in pieces; a command is kept whole."""
    lines = shown(BROKEN, width).splitlines()
    wide = [line for line in lines if len(line) > width and not line.startswith("repeat:")]
    assert wide == []


def test_a_table_in_pieces_has_every_case() -> None:
    """Each piece has the numbers of its cases above it."""
    text = shown(SOUND, 24)
    for numbers in ("case  12345", "case  67890", "case  12  least"):
        assert numbers in text


def test_a_sound_problem_ends_in_its_verdict() -> None:
    """There is nothing to repeat."""
    assert shown(SOUND, 80).endswith("✓ sound: 0 faults, 0 warnings, 0 notes (12.3 s)\n")


def test_a_terminal_without_unicode() -> None:
    """Other signs, and a legend of these."""
    text = shown(SOUND, 80, "ascii")
    assert text.isascii()
    assert "  summed  +#### ##### ##     12" in text
    assert "  #  clearly rejected" in text


def test_json_is_strict_and_whole() -> None:
    """An infinite error is null; several audits are a list under one key."""
    document = audit_json(BROKEN)
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["passed"] is False
    traps = document["traps"]
    assert isinstance(traps, list)
    assert traps[3] == {
        "row": "tuple: returns a tuple",
        "trap": "tuple",
        "kind": "contract",
        "errors": {"by hand": None, "large": 0.0},
    }
    several = audits_json([SOUND, BROKEN])
    assert [each["problem"] for each in several["audits"]] == ["scale", "scale"]  # type: ignore[attr-defined]


class Tags(HTMLParser):
    """Counts what is open, and keeps what refers to another file."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.references: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)
        self.references += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_escaped_closed_and_alone() -> None:
    """One page without scripts or other files; texts of a problem stay texts."""
    page = audits_html([SOUND, BROKEN])
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert tags.references == []
    assert "<script" not in page
    assert "Scale &lt;b&gt;" in page
    assert "a &lt;= b &amp; c" in page
    assert "Scale <b>" not in page


def test_markdown_is_escaped() -> None:
    """Tables, lists and diffs; no text of a problem is markup."""
    text = audits_markdown([BROKEN])
    assert text.startswith("# Scale \\<b\\>\n\n**not sound**: 1 fault, 1 warning, 1 note.")
    assert "- **trap-not-rejected**: a \\< b is accepted. add a case.\n" in text
    assert "| summed | ◐ | ● | ● |" in text
    assert "    -    a < b & c\n" in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
