"""Names in messages."""

from __future__ import annotations

ALIKE = 0.6
"""How alike a name must be to be taken for a slip of another: a mistake is named by it."""


def a(noun: str) -> str:
    """`a dict`, `an int`."""
    return f"{'an' if noun.casefold().startswith(tuple('aeiou')) else 'a'} {noun}"
