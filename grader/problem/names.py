"""Names that are nearly right: the known one that was meant, for "did you mean"."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MAX_COMPARED = 100
"""Of a longer name only the beginning is compared: the effort grows with the square."""


def closest(name: str, known: Iterable[str], cutoff: float = 0.65) -> str | None:
    """Return the known name nearest to `name`, None where none is near.

    Capitals make no difference. `cutoff`: how alike the two must be, from 0 to 1 (see
    `difflib.SequenceMatcher.ratio`).
    """
    by_fold = {candidate.casefold(): candidate for candidate in sorted(set(known))}
    folded = name[:MAX_COMPARED].casefold()
    found = difflib.get_close_matches(folded, by_fold, n=1, cutoff=cutoff)
    return by_fold[found[0]] if found else None


def close_name(name: str, known: Iterable[str], *, otherwise: str = "") -> str:
    """Return the help for an unknown name: the nearest known one, else `otherwise`, else all."""
    names = sorted(set(known))
    near = closest(name, names)
    if near is not None:
        return f'did you mean "{near}"?'
    return otherwise or (f"known here: {', '.join(names)}" if names else "")
