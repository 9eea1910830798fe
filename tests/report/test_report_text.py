"""Text from a solution made safe to show."""

from __future__ import annotations

import shlex
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.report.text import clean, first_lines, one_line, plural, points, quoted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]52;c;YWJj\x1b\\after", "after"),
        ("\x1b]open, never closed", "open, never closed"),
        ("nul\x00 bell\x07 csi\x9b", "nul bell csi"),
        ("\u202eevil\u202c", "evil"),
        ("a\u2028b\x85c", "a\nb\nc"),
        ("\ud800", "\ufffd"),
        ("größe → λ", "größe → λ"),
    ],
)
def test_control_and_direction_codes_are_removed(text: str, shown: str) -> None:
    """What steers a terminal goes, what is text stays."""
    assert clean(text) == shown


def test_a_cut_says_how_much_is_missing() -> None:
    """A long text is cut at the limit, and the rest is counted."""
    assert clean("x" * 1500, 100) == "x" * 100 + "… (cut, 1,400 more characters)"


@given(st.text(alphabet=st.characters(codec=None), max_size=200))
def test_cleaned_text_is_plain_for_any_input(text: str) -> None:
    """Whatever comes in, the result is printable lines that UTF-8 can carry, and stays so."""
    shown = clean(text)
    shown.encode("utf-8")
    assert all(c in "\n\t" or ord(c) >= 32 for c in shown)
    assert "\x1b" not in shown
    assert clean(shown) == shown


def test_one_line_joins_lines() -> None:
    """A name with line breaks cannot fake a line of its own."""
    assert one_line("a\n\n  b\tc") == "a b c"


def test_first_lines_counts_what_is_left_out() -> None:
    """Blank lines at the end are not counted as lines."""
    assert first_lines("1\n2\n3\n\n", 2) == (["1", "2"], 1)
    assert first_lines(" \n", 2) == ([], 0)


@pytest.mark.parametrize(
    ("number", "shown"),
    [("100", "100"), ("1E+2", "100"), ("61.50", "61.5"), ("99.999", "99.999"), ("0.0", "0")],
)
def test_points_are_exact(number: str, shown: str) -> None:
    """No exponent, no trailing zeros, no rounding."""
    assert points(Decimal(number)) == shown


def test_plural() -> None:
    """One case, several cases."""
    assert (plural(1, "case"), plural(0, "case")) == ("1 case", "0 cases")


@pytest.mark.parametrize(
    ("word", "shown"),
    [("a/b-c.py", "a/b-c.py"), ("mixed magnitudes", '"mixed magnitudes"'), ("a$b", "'a$b'")],
)
def test_words_of_a_command_are_quoted_when_they_must_be(word: str, shown: str) -> None:
    """Double quotes where they are enough, since they work in every shell."""
    assert quoted(word) == shown


@given(st.text(alphabet=st.characters(exclude_characters="\x00"), max_size=40))
def test_a_quoted_word_is_one_word_to_the_shell(word: str) -> None:
    """No name of a file or case can break out of the command that repeats it."""
    assert shlex.split(quoted(word)) == [word]
