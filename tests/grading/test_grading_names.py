"""Names in messages."""

from __future__ import annotations

import pytest

from grader.grading.names import ALIKE, a
from grader.problem.names import closest


@pytest.mark.parametrize(
    ("name", "candidates", "found"),
    [
        ("softmax", ["soft_max", "mean"], "soft_max"),
        ("softmax", ["SoftMax"], "SoftMax"),
        ("Softmax", ["softmax", "softmin"], "softmax"),
        ("softmax", ["mean", "x"], None),
        ("softmax", [], None),
    ],
)
def test_the_nearest_name(name: str, candidates: list[str], found: str | None) -> None:
    """Slips and capitals are near; another word is not."""
    assert closest(name, candidates, ALIKE) == found


@pytest.mark.parametrize(("noun", "said"), [("int", "an int"), ("dict", "a dict"), ("", "a ")])
def test_the_article(noun: str, said: str) -> None:
    """By the first letter."""
    assert a(noun) == said
