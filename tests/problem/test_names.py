"""Names that are nearly right."""

from __future__ import annotations

import pytest

from grader.problem.names import close_name, closest

KNOWN = ("width", "Batch", "sequence")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("widht", "width"),
        ("WIDTH", "width"),
        ("batch", "Batch"),
        ("seqence", "sequence"),
        ("depth", None),
        ("", None),
        ("width" * 40, None),
    ],
)
def test_the_nearest_name(name: str, found: str | None) -> None:
    """Slips and capitals are seen through, other words are not."""
    assert closest(name, KNOWN) == found


def test_how_near_is_for_the_caller_to_say() -> None:
    """More can be asked for where more hangs on it."""
    assert closest("wide", ["width"], 0.6) == "width"
    assert closest("wide", ["width"], 0.8) is None


def test_a_name_without_end_is_compared_by_its_beginning() -> None:
    """The effort must not grow with what somebody typed."""
    assert closest("x" * 10**6, ["x" * 100]) == "x" * 100


@pytest.mark.parametrize(
    ("name", "known", "otherwise", "help"),
    [
        ("widht", KNOWN, "", 'did you mean "width"?'),
        ("widht", KNOWN, "see elsewhere", 'did you mean "width"?'),
        ("other", KNOWN, "see elsewhere", "see elsewhere"),
        ("other", KNOWN, "", "known here: Batch, sequence, width"),
        ("other", (), "", ""),
    ],
)
def test_the_help_names_one_or_says_where_all_are(
    name: str, known: tuple[str, ...], otherwise: str, help: str
) -> None:
    """The nearest, else what the caller says, else every name."""
    assert close_name(name, known, otherwise=otherwise) == help
