"""Right pieces put together wrongly: a list that a loop fills too far, a buffer in another order.

The pieces are found again in the right result, and the two orders are laid side by side: the first
piece that is too many, or at another place, or missing, leads to a line.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from grader.grading.match import Result
from grader.grading.source import Source
from grader.sandbox.messages import TraceStep

JOINS = frozenset(
    {"cat", "concat", "concatenate", "stack", "vstack", "row_stack", "hstack", "dstack"}
)
_MOST_PIECES = 200
_APPENDS = re.compile(r"\.append\(\s*\w+(\[\w+\])?\s*\)|\[\w+\]\s*=\s*\w+(\[\w+\])?\s*$")
"""`list.append(item)`, `buffer[i] = items[i]`: whose order is the loop's alone."""


@dataclass(frozen=True, slots=True)
class Assembly:
    """The states of one list or buffer, in order; each a stack of the pieces it held then."""

    states: Sequence[TraceStep]

    @classmethod
    def behind(cls, steps: Sequence[TraceStep], at: int) -> Assembly | None:
        """The list or buffer that a step is, or was joined from; None if there is none."""
        step = steps[at]
        if step.what in JOINS:
            joined = _joined_list(steps, at)
            if joined is None:
                return None
            step = steps[joined]
        if step.kind == "name":
            states = [other for other in steps if _is_state_of(step, other)]
        else:
            states = [steps[n] for n in _fillings(steps, at)]
        return cls(states) if states and states[-1].value.dim() else None

    def line_out_of_place(self, wanted: Tensor, source: Source) -> int | None:
        """The line that put the first piece out of place; the loop that it stands in, where that
        decides; for a piece that is missing in front, where the list was begun. `wanted` is the
        right result, its pieces along the first axis."""
        order = self._order(wanted)
        if order is None:
            return None
        right = range(len(wanted))
        matcher = difflib.SequenceMatcher(None, right, order, autojunk=False)
        changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
        extra = [
            n for kind, _, _, low, high in changes if kind != "delete" for n in range(low, high)
        ]
        if extra:
            return self._line_of_extra(order, extra[0], source)
        if not changes:
            return None
        missing_at = changes[0][3]
        if missing_at == 0:
            first = self.states[0]
            return source.binding(first.what, first.line) or first.line
        line = self._line_of(min(missing_at, len(order) - 1))
        return source.loop_around(line) or line

    def _order(self, wanted: Tensor) -> list[int | None] | None:
        """Where each piece stands in the right result, None for one that is nowhere in it; None if
        there is nothing of the right result in it."""
        whole = self.states[-1].value
        if wanted.dim() < 2 or not max(len(wanted), len(whole)) <= _MOST_PIECES:
            return None
        rows = [Result(row) for row in wanted]
        found = [next((n for n, row in enumerate(rows) if row.has(p)), None) for p in whole]
        return found if any(place is not None for place in found) else None

    def _line_of_extra(self, order: Sequence[int | None], piece: int, source: Source) -> int:
        while piece + 1 < len(order) and order[piece + 1] == order[piece]:
            piece += 1  # of two that are the same, the later one is too many
        line = self._line_of(piece)
        adds_others = any(self._line_of(n) == line for n in range(len(order)) if n != piece)
        if adds_others and _APPENDS.search(source.text(line)):
            return source.loop_around(line) or line
        return line

    def _line_of(self, place: int) -> int:
        """The line after which the piece at a place of the last state was there."""
        whole = self.states[-1].value
        piece = whole[place]
        grows = self.states[-1].kind == "name"
        wanted = _count(piece, whole[: place + 1]) if grows else 1
        for state in self.states:
            if state.value.dim() != whole.dim():
                continue
            pieces = state.value if grows else state.value[place : place + 1]
            if _count(piece, pieces) >= wanted:
                return state.line
        return self.states[-1].line


def _count(piece: Tensor, pieces: Tensor) -> int:
    """How many of them are this one."""
    if pieces.shape[1:] != piece.shape:
        return 0
    return int((pieces == piece).unsqueeze(-1).flatten(1).all(1).sum())


def _joined_list(steps: Sequence[TraceStep], at: int) -> int | None:
    """The last list, bound to a name in the same call, of all that a step joins."""
    step = steps[at]
    for number in range(at - 1, -1, -1):
        other = steps[number]
        if other.kind != "name" or other.call != step.call or len(other.sources) < 2:
            continue
        is_whole = other.value.numel() == step.value.numel()
        if is_whole and set(other.sources) <= set(step.sources):
            return number
    return None


def _is_state_of(step: TraceStep, other: TraceStep) -> bool:
    same = other.kind == "name" and (other.what, other.call) == (step.what, step.call)
    return same and other.value.dim() > 0 and other.value.shape[1:] == step.value.shape[1:]


def _fillings(steps: Sequence[TraceStep], at: int) -> list[int]:
    """A buffer from its making to its last filling, by item assignment."""
    if steps[at].what != "__setitem__":
        return []
    found = [at]
    while steps[found[0]].what == "__setitem__" and steps[found[0]].sources[:1] >= (0,):
        found.insert(0, steps[found[0]].sources[0])
    for number in range(at + 1, len(steps)):
        if steps[number].what == "__setitem__" and found[-1] in steps[number].sources[:1]:
            found.append(number)
    return found
