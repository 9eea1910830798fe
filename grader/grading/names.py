"""Names in messages: close ones, for "did you mean", and their article."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def closest(name: str, candidates: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The candidate nearest to `name`, if any is near; capitals make no difference."""
    by_fold = {candidate.casefold(): candidate for candidate in candidates}
    found = difflib.get_close_matches(name.casefold(), by_fold, n=1, cutoff=cutoff)
    return by_fold[found[0]] if found else None


def a(noun: str) -> str:
    """`a dict`, `an int`."""
    return f"{'an' if noun.casefold().startswith(tuple('aeiou')) else 'a'} {noun}"
