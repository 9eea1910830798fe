"""The collector that the checks of meaning share: a mistake is said by its path in the file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from grader.problem.errors import SpecError, quoted
from grader.problem.names import close_name
from grader.problem.yaml12 import Document, KeyPath


@dataclass(frozen=True, slots=True)
class Mistakes:
    """What is wrong so far. `broken`: places whose value was left out for a mistake of form."""

    document: Document
    broken: frozenset[KeyPath] = frozenset()
    found: list[SpecError] = field(default_factory=list)
    _told: set[KeyPath] = field(default_factory=set)

    def add(self, path: KeyPath, message: str, help: str = "") -> None:
        """Note a mistake at a value. One in the defaults is told for the first case it meets."""
        if path[:1] == ("defaults",):
            if path in self._told:
                return
            self._told.add(path)
        self.found.append(self.document.error(path, message, help))

    def add_at_key(self, path: KeyPath, message: str, help: str = "") -> None:
        """Note a mistake at a key."""
        self.found.append(self.document.key_error(path, message, help))

    def unknown(self, path: KeyPath, what: str, known: Iterable[str]) -> None:
        """Note a name, the last part of the path, that nothing else in the file defines."""
        self.add_at_key(
            path, f"unknown {what} {quoted(str(path[-1]))}", close_name(str(path[-1]), known)
        )

    def unknown_value(
        self, path: KeyPath, what: str, name: str, known: Iterable[str], *, of: str = ""
    ) -> None:
        """Note a value at a path that nothing else in the file defines."""
        self.add(path, f"unknown {what} {quoted(name)}{of}", close_name(name, known))

    def touched(self, *path: str | int) -> bool:
        """Whether a mistake of form lies at this path, in it, or around it."""
        return any(path[: len(gap)] == gap[: len(path)] for gap in self.broken)

    def touched_key(self, key: str) -> bool:
        """Whether a mistake of form lies anywhere at or in a key of this name, or around one."""
        around = {("defaults",), ("cases",)}
        return any(
            key in gap or gap in around or (gap[:1] == ("cases",) and len(gap) == 2)
            for gap in self.broken
        )

    def points(self, path: KeyPath, value: float) -> Decimal:
        """Return points exactly as they are written: 4.1 is 4.1, not the float nearest to it."""
        try:
            exact = Decimal(self.document.node(path).text)
        except InvalidOperation:  # 0x10: a whole number, so the float is exact
            exact = Decimal(value)
        return exact if exact != exact.to_integral_value() else Decimal(int(exact))
