"""A trace read beside the stages: whether each tensor is right, known, wrong, or neither."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from grader.grading.match import Result, Results, is_uniform, merges
from grader.sandbox.messages import TraceStep

_UNFINISHED = frozenset({"empty", "empty_like", "new_empty", "__setitem__"})
"""Their results are not filled yet: no mistake by themselves."""
_CARRIES = frozenset(
    {
        "__getitem__", "broadcast_to", "chunk", "clone", "contiguous", "detach", "diagonal",
        "double", "expand", "expand_as", "flatten", "float", "H", "index_select", "moveaxis",
        "movedim", "mT", "narrow", "permute", "repeat", "reshape", "reshape_as", "select", "split",
        "squeeze", "swapaxes", "swapdims", "T", "t", "tensor_split", "tile", "to", "topk",
        "transpose", "type", "type_as", "unbind", "unflatten", "unsqueeze", "view", "view_as",
    }
)  # fmt: skip
"""Their results hold nothing but elements of what they are given, in the order they had."""
_RESHAPES = frozenset({"reshape", "reshape_as", "view", "view_as"})
"""Likewise, when they make neighbouring axes one, or one several; else they mix up the axes."""


class Reading:
    """The steps of a trace and what each is, by its number.

    `stages`: the stages whose right result it is. `known`: it is nothing that could be the mistake:
    a right result or a part of one, a usual way to one, an input, a constant.
    """

    def __init__(
        self,
        steps: Sequence[TraceStep],
        right: Mapping[str, Result],
        wrong: Mapping[str, Result],
        others: Results,
        shapes: Sequence[Sequence[int]],
        needed: Collection[int] = (),
    ) -> None:
        """`wrong`: by stage, as the mistakes make it; `shapes`: of the input tensors; `needed`:
        which of these the wrong stage is made from, if it is known."""
        self._needed = {-1 - number for number in needed}
        self.steps = steps
        self._right = Results(result.value for result in right.values())
        self._shapes = shapes
        self.stages: list[tuple[str, ...]] = []
        self.known: list[bool] = []
        self.from_inputs: list[bool] = []
        self.is_of_right: list[bool] = []
        self.is_way: list[bool] = []
        self._is_wrong: list[bool] = []
        self.carried: list[bool] = []
        for step in steps:
            self._read(step, right, list(wrong.values()), others)
        self._names = self._wrong_names(wrong)
        self.vouched = self.behind(n for n, is_way in enumerate(self.is_way) if is_way)

    def _read(
        self,
        step: TraceStep,
        right: Mapping[str, Result],
        wrong: Sequence[Result],
        others: Results,
    ) -> None:
        source = step.sources[0] if len(step.sources) == 1 else -1
        is_alias = step.kind != "call" and source >= 0
        if is_alias and self.steps[source].value.equal(step.value):
            self._add(
                self.stages[source],
                known=self.known[source],
                from_inputs=self.from_inputs[source],
                is_of_right=self.is_of_right[source],
                is_way=self.is_way[source],
                is_wrong=self._is_wrong[source],
                carried=self.carried[source],
            )
            return
        value = step.value
        stages = tuple(name for name, result in right.items() if result.has(value))
        is_of_right = bool(stages) or self._right.has_part(value)
        from_inputs = any(source < 0 or self.from_inputs[source] for source in step.sources)
        is_carried = self._is_carried(step)
        is_way = others.has(value) or others.has_part(value)
        is_known = (
            is_of_right
            or not from_inputs
            or step.what in _UNFINISHED
            or (value.numel() != 1 and is_uniform(value))
            or is_carried
            or is_way
        )
        is_wrong = any(
            (not stages and result.has(value)) or (not is_known and result.has_part(value))
            for result in wrong
        ) and not (step.what == "unbind" and max(step.sources, default=0) < 0)
        self._add(
            stages,
            known=is_known,
            from_inputs=from_inputs,
            is_of_right=is_of_right,
            is_way=(is_way or is_of_right) and not is_carried,
            is_wrong=is_wrong,
            carried=is_carried,
        )

    def _add(
        self,
        stages: tuple[str, ...],
        *,
        known: bool,
        from_inputs: bool,
        is_of_right: bool,
        is_way: bool,
        is_wrong: bool,
        carried: bool,
    ) -> None:
        self.stages.append(stages)
        self.known.append(known)
        self.from_inputs.append(from_inputs)
        self.is_of_right.append(is_of_right)
        self.is_way.append(is_way)
        self._is_wrong.append(is_wrong)
        self.carried.append(carried)

    def _is_carried(self, step: TraceStep) -> bool:
        if step.what not in _CARRIES or not step.sources:
            return False
        if step.what in _RESHAPES and not merges(self._shape(step.sources[0]), step.value.shape):
            return False
        return all(source < 0 or self.known[source] for source in step.sources)

    def _shape(self, number: int) -> Sequence[int]:
        """The shape of a step, or of an input, by its number as a source."""
        if number >= 0:
            return self.steps[number].value.shape
        return self._shapes[-1 - number] if -1 - number < len(self._shapes) else ()

    def first_wrong(self) -> int | None:
        """The first tensor that is a wrong result and no right one, or a part of a wrong one and
        nothing known.

        A wrong result may well be an input, or a part of what is right: leaving out is just that.
        A step left out makes it an earlier result: then a name may say which one is meant.
        """
        wrong = (n for n, is_wrong in enumerate(self._is_wrong) if is_wrong)
        first = next((n for n in wrong if not self._hands_on_all(n)), None)
        return min((n for n in [first, self._names] if n is not None), default=None)

    def _hands_on_all(self, number: int) -> bool:
        """Whether a function is given all inputs there that are needed: nothing is left out yet."""
        step = self.steps[number]
        if step.kind != "argument" or not self._needed:
            return False
        beside = (o for o in self.steps if o.kind == "argument" and o.line == step.line)
        given = {source for other in beside for source in other.sources}
        return given >= self._needed

    def _wrong_names(self, wrong: Mapping[str, Result]) -> int | None:
        """The first tensor that bears the name of a stage and is wrong as that."""
        for number, step in enumerate(self.steps):
            is_named = step.kind == "name" and step.what in wrong
            if not is_named or step.what in self.stages[number]:
                continue
            if wrong[step.what].has(step.value):
                return number
        return None

    def behind(self, steps: Iterable[int]) -> set[int]:
        """All that these were made from, themselves included."""
        waiting = list(steps)
        found: set[int] = set()
        while waiting:
            number = waiting.pop()
            if number >= 0 and number not in found:
                found.add(number)
                waiting.extend(self.steps[number].sources)
        return found

    def size(self, number: int) -> int:
        """How many elements a step has, or an input, by its number as a source."""
        return math.prod(self._shape(number))

    def first_sign(self, end: int, signs: Results) -> int | None:
        """Looking back from a wrong result, the first that shows where this mistake is made."""
        for number in sorted(self.behind([end])):
            value = self.steps[number].value
            is_made = self.steps[number].kind == "call" and not self.carried[number]
            if signs.has(value) or (is_made and signs.has_part(value)):
                return number
        return None

    def first_suspect(self, end: int) -> int:
        """Looking back from a wrong result, the first that may be the mistake; itself if none."""
        behind = self.behind([end])
        suspects = (n for n in behind if not self.known[n] and n not in self.vouched)
        return min(suspects, default=end)
