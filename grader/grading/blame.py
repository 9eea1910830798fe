"""From the first wrong tensor to the line that a reader of the file would mark.

Mostly that is the line that made it. But a tensor may be wrong because of what it was made from,
each piece of it right by itself: a list that a loop fills too far or not far enough, a sum that
starts with something in it, a selection that leaves too much out, an axis or a number that a caller
chose, the right result handed over as another. Each rule here is one such reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader.grading.assembly import JOINS, Assembly
from grader.grading.match import Result, is_uniform
from grader.grading.reading import Reading
from grader.grading.source import Source
from grader.sandbox.messages import Traced, TraceStep

_SPREADS = frozenset({"expand", "expand_as", "broadcast_to", "repeat", "tile"})
_SELECTS = frozenset({"__getitem__", "narrow", "select", "index_select"})
_SUMS = frozenset({"add", "add_", "__iadd__", "__add__", "__radd__", "sum", "addcmul", "addcmul_"})
_RUNNING = re.compile(r"\s*(\w+)(?:\[[^]]*\])?\s*(?:\+=|=\s*\1\b)")
"""`total += ...` and `total = total ...`."""
_CALLED = re.compile(r"\b(?:self\.)?(\w+)\(")


@dataclass(frozen=True, slots=True)
class Blame:
    """What a line is looked for with: the trace, the lines of the file, and of the wrong stage its
    right result (None if it is not known), whether the mistake is one of axes, and the output that
    the stage does no more than hand over ("" if it is another)."""

    reading: Reading
    traced: Traced
    source: Source
    wanted: Result | None = None
    is_of_axes: bool = False
    hands_over: str = ""

    def line(self, at: int) -> int:
        """The line to mark for the first wrong tensor, given by its number."""
        at = self._made_by(at)
        step = self.reading.steps[at]
        found = (
            self._where_a_number_changed(step)
            or self._where_it_is_handed_over(at)
            or self._where_it_is_called(at)
            or self._where_it_is_put_together(at)
            or self._where_a_sum_starts(at)
            or self._where_it_is_chosen(at)
            or self._where_a_layer_is_made(step)
        )
        return found or step.line

    def _made_by(self, at: int) -> int:
        """What is returned is mostly wrong where it was made."""
        steps = self.reading.steps
        while steps[at].kind == "returned" and not self.hands_over:
            if len(steps[at].sources) != 1 or steps[at].sources[0] < 0:
                break
            at = steps[at].sources[0]
        return at

    def _where_a_number_changed(self, step: TraceStep) -> int | None:
        """An argument that is a number has another value where it is used: bound so, or given so to
        the function that uses it, or kept so in an attribute."""
        for line, name in self.traced.renumbered:
            is_given = any(c.line == line and name in c.plain for c in self.traced.calls)
            is_kept = self.source.has_attribute(step.line, name)
            is_used = is_kept or line in step.callers or not is_given
            if is_used and self.source.has_word(step.line, name):
                return line
        return None

    def _where_it_is_handed_over(self, at: int) -> int | None:
        """What is right in itself is returned as something else: the line that names the output."""
        if not self.hands_over or not self.reading.known[at]:
            return None
        return self.source.naming(self.hands_over, self.traced.returned)

    def _where_it_is_called(self, at: int) -> int | None:
        """In a function of the file that is right by itself, or whose axis is the caller's choice,
        the line that calls it."""
        step = self.reading.steps[at]
        if not step.callers:
            return None
        later = self.reading.steps[at + 1 :]
        is_last = all(other.call != step.call or other.kind != "call" for other in later)
        is_right_by_itself = self.reading.is_way[at] and step.kind == "call" and is_last
        if is_right_by_itself or self._is_right_elsewhere(step):
            return step.callers[0]
        if self.is_of_axes and 0 < step.call < len(self.traced.calls):
            call = self.traced.calls[step.call]
            if any(self.source.has_word(step.line, name) for name in call.plain):
                return call.line
        return None

    def _is_right_elsewhere(self, step: TraceStep) -> bool:
        """Whether the same place of the function is right in another call of it; one of another
        line, when the calling line is repeated, for in a loop one may be right by chance."""
        caller = step.callers[0]
        is_repeated = self.source.loop_around(caller) or " for " in self.source.text(caller)
        return any(
            (other.line, other.what) == (step.line, step.what)
            and other.call != step.call
            and self.reading.is_way[number]
            and (not is_repeated or other.callers[:1] != step.callers[:1])
            for number, other in enumerate(self.reading.steps)
        )

    def _where_it_is_put_together(self, at: int) -> int | None:
        """Pieces that are right, in a wrong list or buffer."""
        if self.wanted is None:
            return None
        assembly = Assembly.behind(self.reading.steps, at)
        if assembly is None:
            return None
        return assembly.line_out_of_place(self.wanted.value, self.source)

    def _where_a_sum_starts(self, at: int) -> int | None:
        """A running sum of right terms: wrong at once, the line it starts from; else the loop."""
        step = self.reading.steps[at]
        loop = self.source.loop_around(step.line)
        running = _RUNNING.match(self.source.text(step.line))
        if loop is None or running is None or step.what not in _SUMS:
            return None
        if all(n < 0 or self.reading.carried[n] for n in step.sources):
            return None
        sources = [n for n in step.sources if n >= 0]
        if not all(self.reading.known[n] for n in sources):
            return loop if any(self.reading.steps[n].line == step.line for n in sources) else None
        before = [self.reading.steps[n] for n in sources if self.reading.steps[n].line < loop]
        starts = [each.line for each in before if not is_uniform(each.value)]
        if not before and min(step.sources) < 0:  # with an input
            starts = [loop]
        return (self.source.binding(running[1], loop - 1) or starts[0]) if starts else loop

    def _where_it_is_chosen(self, at: int) -> int | None:
        """Joined or spread from right pieces, of which one leaves too much out or is a constant:
        the line that selected or made that."""
        step = self.reading.steps[at]
        if step.what not in JOINS | _SPREADS:
            return None
        if not all(n < 0 or self.reading.known[n] for n in step.sources):
            return None
        for number in step.sources:
            chosen = self._selection_behind(number, deep=step.what in _SPREADS)
            if chosen not in (None, step.line) and self.source.loop_around(chosen or 0) is None:
                return chosen
        return None

    def _selection_behind(self, number: int, *, deep: bool) -> int | None:
        while number >= 0:
            step = self.reading.steps[number]
            if not self.reading.from_inputs[number]:
                is_constant = is_uniform(step.value) and step.value.numel() > 1
                return step.line if is_constant else None
            if not step.sources or self.reading.stages[number]:
                return None
            if step.what in _SELECTS and step.value.numel() < self.reading.size(step.sources[0]):
                return step.line
            if not deep and len(step.sources) > 1:
                return None
            number = next((n for n in step.sources if n < 0 or self.reading.known[n]), -1)
        return None

    def _where_a_layer_is_made(self, step: TraceStep) -> int | None:
        """A layer of torch's under a name: the line that makes it says what it does."""
        steps = enumerate(self.reading.steps)
        if any(other.what == step.what and self.reading.is_of_right[n] for n, other in steps):
            return None
        called = _CALLED.findall(self.source.text(step.line))
        made = (self.source.making(name, step.what) for name in called)
        return next((line for line in made if line is not None), None)
