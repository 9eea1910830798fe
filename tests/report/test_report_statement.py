"""Statements on a terminal."""

from __future__ import annotations

import pytest

from grader.report.statement import render_statement, with_math
from tests.report.report_samples import printed


def shown(markdown: str, width: int = 80) -> str:
    return printed(render_statement(markdown), width).strip("\n")


def test_headings_are_underlined_without_colour() -> None:
    """The two highest levels can be told from text in a pipe too."""
    assert shown("# Title\n\n## Part") == "Title\n═════\n\nPart\n────"


def test_inline_math_is_turned_into_unicode() -> None:
    """Underscores and stars within the dollars are not Markdown."""
    assert shown("The $v_i$ and $w_i * k_j$ here.") == "The vᵢ and wᵢ ∗ kⱼ here."  # noqa: RUF001 - as shown


def test_display_math_stands_alone() -> None:
    """On lines of its own, indented, whether on one line or on several."""
    assert shown("Then\n\n$$h = v_i$$\n\nand\n$$\nk = v_j\n$$") == (
        "Then\n\n    h = vᵢ\n\nand\n\n    k = vⱼ"
    )


@pytest.mark.parametrize("text", ["costs $5 or $6", "a $ b $ c", "one $ only", r"\$x\$", "$$ open"])
def test_dollars_that_are_no_math_stay(text: str) -> None:
    """Prices and lone dollars are text."""
    assert shown(text) == text.replace("\\", "")


def test_code_keeps_its_dollars() -> None:
    """Neither spans nor blocks of code are touched."""
    text = shown("`$x_i$`\n\n```python\na = 1  # $x_i$\n```")
    assert text == "$x_i$\n\n    a = 1  # $x_i$"


def test_tables_and_lists_take_math() -> None:
    """The parser's own rules call ours."""
    text = shown("- item $x_1$\n\n| a | b |\n|---|---|\n| $y_2$ | z |")
    assert "• item x₁" in text
    assert "y₂" in text


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_lines_stay_within_the_terminal(width: int) -> None:
    """A statement wraps at any width."""
    text = shown("word " * 60 + "\n\n$$" + "x + " * 40 + "y$$\n\n- " + "item " * 30, width)
    assert max(map(len, text.splitlines())) <= width


def test_markup_in_a_statement_is_text() -> None:
    """Square brackets are not rich's markup."""
    assert shown("shape [batch, width] and [bold]x[/bold]") == (
        "shape [batch, width] and [bold]x[/bold]"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("$x_1$ and $y^2$", "x₁ and y²"),
        ("costs $5 or $6, a $ b", "costs $5 or $6, a $ b"),
        ("a *b* `c` __init__ [bold]d[/bold] \\n", "a *b* `c` __init__ [bold]d[/bold] \\n"),
        ("two  lines\nof text ", "two  lines\nof text "),
        ("", ""),
    ],
)
def test_in_a_plain_text_only_math_is_changed(text: str, shown: str) -> None:
    """The dollars are those of a statement; Markdown is no part of it."""
    assert with_math(text) == shown
