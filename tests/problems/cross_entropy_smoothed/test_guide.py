"""problems/README.md quotes this problem: what it shows is what is here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HOME = Path(__file__).parent
GUIDE = HOME.parents[2] / "problems" / "README.md"
FENCE = re.compile(r"^```(yaml|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = FENCE.findall(GUIDE.read_text(encoding="utf-8"))
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def here(language: str) -> list[str]:
    """The files of the problem in this language."""
    suffix = {"yaml": "*.yaml", "python": "*.py"}[language]
    return [path.read_text(encoding="utf-8") for path in sorted(HOME.rglob(suffix))]


@pytest.mark.parametrize(("language", "block"), BLOCKS, ids=lambda text: text[:30].strip())
def test_what_it_quotes_is_here(language: str, block: str) -> None:
    """To the letter, in one of its files."""
    assert any(block in text for text in here(language)), block


def test_it_quotes() -> None:
    """Else the test above would have nothing to say."""
    assert len(BLOCKS) >= 6


def test_its_links_lead_somewhere() -> None:
    """Relative ones, from where it lies."""
    targets = LINK.findall(GUIDE.read_text(encoding="utf-8"))
    assert targets
    assert [each for each in targets if not (GUIDE.parent / each).exists()] == []
