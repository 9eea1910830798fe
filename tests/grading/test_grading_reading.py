"""A trace read beside known results: what each recorded tensor is, and where to look back to.

The computation of the tests: `table` is centred, and the greatest of each row of that is its peak.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest
import torch
from torch import Tensor

from grader.grading.match import Result, Results
from grader.grading.reading import Reading
from grader.sandbox.messages import StepKind, TraceStep

TABLE = torch.arange(24, dtype=torch.float64).reshape(2, 3, 4).sin()
OTHER = torch.arange(5, dtype=torch.float64).cos()
MEAN = TABLE.mean(-1, keepdim=True)
CENTRED = TABLE - MEAN
PEAKS = CENTRED.amax(-1)
RIGHT = {"centred": CENTRED, "peaks": PEAKS}
LOWEST = {"peaks": CENTRED.amin(-1)}
UNCENTRED = {"centred": TABLE, "peaks": TABLE.amax(-1)}
UNKNOWN = CENTRED.exp()


def made(
    value: Tensor, *sources: int, what: str = "call", kind: StepKind = "call", line: int = 1
) -> TraceStep:
    """A step; without sources it is made of the first input."""
    return TraceStep(line, what, value, kind, sources or (-1,))


def from_nothing(value: Tensor, what: str = "call") -> TraceStep:
    return TraceStep(1, what, value, "call", ())


def reading(
    *steps: TraceStep, wrong: Mapping[str, Tensor] | None = None, needed: Collection[int] = ()
) -> Reading:
    """The steps beside the right results; means of rows are a usual way, and inputs are known."""
    return Reading(
        steps,
        {name: Result(value) for name, value in RIGHT.items()},
        {name: Result(value) for name, value in (wrong or {}).items()},
        Results([MEAN, TABLE, OTHER]),
        [TABLE.shape, OTHER.shape],
        needed,
    )


class TestStages:
    @pytest.mark.parametrize(
        ("value", "stages"),
        [
            (CENTRED, ("centred",)),
            (CENTRED.permute(1, 2, 0).float(), ("centred",)),
            (PEAKS.T.unsqueeze(-1), ("peaks",)),
            (CENTRED[0], ()),
            (UNKNOWN, ()),
            (TABLE, ()),
        ],
        ids=["itself", "turned", "another stage", "a part", "unknown", "an input"],
    )
    def test_a_right_result_has_its_stage(self, value: Tensor, stages: tuple[str, ...]) -> None:
        """However its axes lie; a part of it is not all of it."""
        assert reading(made(value)).stages == [stages]

    def test_one_that_is_two_stages_has_both(self) -> None:
        """A stage that only hands over makes the same again."""
        found = Reading(
            [made(PEAKS)],
            {"peaks": Result(PEAKS), "told": Result(PEAKS.clone())},
            {},
            Results([]),
            [],
        )
        assert found.stages == [("peaks", "told")]


class TestKnown:
    @pytest.mark.parametrize(
        ("step", "known"),
        [
            (made(CENTRED), True),
            (made(CENTRED[:, 1]), True),
            (made(MEAN), True),
            (made(MEAN[0]), True),
            (made(TABLE[1]), True),
            (made(torch.zeros(2, 3)), True),
            (made(torch.full((4,), 0.3)), True),
            (made(torch.tensor(0.3)), False),
            (made(UNKNOWN, what="empty_like"), True),
            (made(UNKNOWN, what="__setitem__"), True),
            (made(UNKNOWN), False),
            (made(CENTRED.flip(0), what="flip"), False),
            (from_nothing(UNKNOWN), True),
        ],
        ids=[
            "right", "a part of what is right", "on the way", "a part of what is on the way",
            "an input's part", "zeros", "a constant", "a lone number", "not filled yet",
            "being filled", "unknown", "right, in another order", "from nothing",
        ],
    )  # fmt: skip
    def test_what_could_not_be_the_mistake(self, step: TraceStep, known: bool) -> None:
        """All but what was computed of the inputs and is nothing one has seen before."""
        assert reading(step).known == [known]

    @pytest.mark.parametrize(
        ("what", "value", "carried"),
        [
            ("__getitem__", OTHER[[0, 1, 3]], True),
            ("permute", TABLE.permute(2, 1, 0), True),
            ("to", TABLE.float(), True),
            ("repeat", OTHER.repeat(3), True),
            ("reshape", TABLE.reshape(6, 4), True),
            ("reshape", TABLE.reshape(2, 1, 12), True),
            ("reshape", TABLE.reshape(4, 6), False),
            ("view", TABLE.reshape(3, 2, 4), False),
            ("flip", TABLE.flip(0), False),
            ("cumsum", TABLE.cumsum(0), False),
            ("roll", TABLE.roll(1, 0), False),
        ],
    )
    def test_what_an_operation_only_carries(self, what: str, value: Tensor, carried: bool) -> None:
        """The elements of something known, in the order they had; not axes that are mixed up."""
        source = -2 if value.numel() <= 15 else -1
        assert reading(made(value, source, what=what)).carried == [carried]

    @pytest.mark.parametrize(("value", "carried"), [(CENTRED, True), (UNKNOWN, False)])
    def test_what_carries_something_unknown_is_unknown(self, value: Tensor, carried: bool) -> None:
        """Only where it comes from can tell."""
        found = reading(made(value), made(value[..., ::2], 0, what="__getitem__"))
        assert (found.carried[1], found.known[1]) == (carried, carried)

    def test_nothing_is_carried_from_nowhere(self) -> None:
        """`to` of a tensor that was not seen may hold anything."""
        assert reading(from_nothing(UNKNOWN, "to")).carried == [False]

    def test_from_inputs_by_any_way(self) -> None:
        """Straight, through others, and not at all."""
        steps = [
            from_nothing(torch.ones(2)),
            made(UNKNOWN, -2),
            made(UNKNOWN + 1, 0),
            made(UNKNOWN + 2, 0, 1),
            made(UNKNOWN + 3, 2),
        ]
        assert reading(*steps).from_inputs == [False, True, False, True, False]

    def test_a_way_is_computed(self) -> None:
        """A right result, a part of one, a usual way to one; not what was only carried there."""
        steps = [
            made(PEAKS),
            made(PEAKS[:, 1]),
            made(MEAN),
            made(UNKNOWN),
            made(TABLE[0], what="__getitem__"),
        ]
        assert reading(*steps).is_way == [True, True, True, False, False]


class TestNames:
    def test_a_name_is_what_it_names(self) -> None:
        """It is read as the call that made it: what that is comes from its operation, too."""
        carried = made(OTHER[[0, 1, 3]], -2, what="__getitem__")
        found = reading(carried, made(carried.value, 0, what="kept", kind="name"))
        assert (found.known, found.carried) == ([True, True], [True, True])

    def test_unless_it_was_changed_since(self) -> None:
        """Then it is read for itself."""
        steps = [made(CENTRED), made(UNKNOWN, 0, what="x", kind="name")]
        assert reading(*steps).stages == [("centred",), ()]

    def test_a_name_of_another_dtype_is_read_for_itself(self) -> None:
        """A forged one, maybe; nothing is raised."""
        steps = [made(CENTRED), made(UNKNOWN.long(), 0, what="x", kind="name")]
        assert reading(*steps).known == [True, False]


class TestFirstWrong:
    """The first tensor that is what the mistakes make."""

    @pytest.mark.parametrize(
        ("steps", "wrong", "expected"),
        [
            ([made(CENTRED), made(CENTRED.amin(-1), 0)], LOWEST, 1),
            ([made(CENTRED), made(CENTRED.amin(-1).T, 0)], LOWEST, 1),
            ([made(CENTRED), made(CENTRED.amin(-1)[0], 0)], LOWEST, 1),
            ([made(CENTRED), made(PEAKS, 0)], LOWEST, None),
            ([made(CENTRED), made(UNKNOWN, 0)], LOWEST, None),
            ([made(TABLE, what="clone")], UNCENTRED, 0),
            ([made(TABLE[0], what="__getitem__")], UNCENTRED, None),
            ([made(TABLE[:, 0], what="unbind"), made(TABLE, what="x")], UNCENTRED, 1),
            ([made(TABLE, what="unbind")], UNCENTRED, None),
            ([made(UNKNOWN), made(TABLE, 0, what="unbind")], UNCENTRED, 1),
            ([from_nothing(TABLE, "unbind")], UNCENTRED, 0),
        ],
        ids=[
            "all of it", "turned", "a part of it", "right", "unknown", "an input is left as it is",
            "a part of an input", "pieces of an input", "an input in pieces", "other pieces",
            "pieces of what was not seen",
        ],
    )  # fmt: skip
    def test_the_first(
        self, steps: list[TraceStep], wrong: Mapping[str, Tensor], expected: int | None
    ) -> None:
        """A wrong result may be an input, for leaving out is just that; a part of one is none."""
        assert reading(*steps, wrong=wrong).first_wrong() == expected

    @pytest.mark.parametrize(
        ("needed", "given", "expected"),
        [((0, 1), (-2,), 2), ((0, 1), (), 0), ((0,), (), 2), ((), (-2,), 0)],
        ids=["all", "one is missing", "one is all", "nothing is known of what is needed"],
    )
    def test_handing_on_all_that_is_needed_leaves_nothing_out(
        self, needed: tuple[int, ...], given: tuple[int, ...], expected: int
    ) -> None:
        """An input that is given to a function, beside the others, is no mistake yet."""
        handed_on = made(TABLE, -1, what="t", kind="argument")
        beside = made(OTHER, *given, what="q", kind="argument", line=1 if given else 9)
        steps = [handed_on, beside, made(TABLE, what="clone")]
        assert reading(*steps, wrong=UNCENTRED, needed=needed).first_wrong() == expected

    def test_a_right_result_under_a_wrong_name(self) -> None:
        """A step left out makes it an earlier result: the name says which one is meant."""
        steps = [made(CENTRED), made(CENTRED, 0, what="peaks", kind="name")]
        assert reading(*steps, wrong={"peaks": CENTRED}).first_wrong() == 1

    @pytest.mark.parametrize(
        ("step", "wrong"),
        [
            (made(CENTRED, what="peaks"), {"peaks": CENTRED}),
            (made(CENTRED, what="centred", kind="name"), {"peaks": CENTRED}),
            (made(PEAKS, what="peaks", kind="name"), {"peaks": PEAKS}),
            (made(UNKNOWN, what="peaks", kind="name"), {"peaks": CENTRED}),
        ],
        ids=["a call", "another name", "right as that", "something else"],
    )
    def test_a_name_alone_is_no_mistake(self, step: TraceStep, wrong: Mapping[str, Tensor]) -> None:
        """It must bear the name of a stage, and be wrong as that."""
        assert reading(step, wrong=wrong).first_wrong() is None

    def test_the_earlier_of_both(self) -> None:
        """Whatever shows it."""
        named = made(CENTRED, 0, what="peaks", kind="name")
        wrong = {"peaks": CENTRED, "rest": UNKNOWN}
        assert reading(made(CENTRED), named, made(UNKNOWN), wrong=wrong).first_wrong() == 1
        assert reading(made(UNKNOWN), made(CENTRED), named, wrong=wrong).first_wrong() == 0


class TestLookingBack:
    GRAPH = (
        made(MEAN),  # 0
        made(UNKNOWN, 0, -1),  # 1
        made(UNKNOWN * 2, -2),  # 2
        made(CENTRED, 1),  # 3
        made(UNKNOWN * 3, 2, 3),  # 4
        made(UNKNOWN * 4, 4, 0),  # 5
    )

    def test_behind(self) -> None:
        """All that steps were made from, themselves included, and no inputs."""
        found = reading(*self.GRAPH)
        assert found.behind([4]) == {0, 1, 2, 3, 4}
        assert found.behind([2]) == {2}
        assert found.behind([2, 0, -1]) == {0, 2}
        assert found.behind([]) == set()

    def test_the_first_suspect(self) -> None:
        """The first unknown tensor that no right result was made from."""
        assert reading(*self.GRAPH).first_suspect(5) == 2

    def test_what_a_right_result_was_made_from_is_no_suspect(self) -> None:
        """However strange the way there is."""
        found = reading(*self.GRAPH)
        assert 1 in found.vouched
        assert found.first_suspect(3) == 3

    def test_what_is_beside_it_is_no_suspect(self) -> None:
        """Only what the wrong result was made from."""
        assert reading(made(UNKNOWN), made(UNKNOWN * 2)).first_suspect(1) == 1

    def test_without_a_suspect_it_is_the_wrong_result_itself(self) -> None:
        """All that it was made from is known."""
        assert reading(made(CENTRED), made(MEAN, 0)).first_suspect(1) == 1

    @pytest.mark.parametrize(
        ("sign", "expected"),
        [(MEAN, 0), (UNKNOWN * 2, 2), (UNKNOWN * 3, 4), (UNKNOWN * 4, None), (OTHER, None)],
    )
    def test_the_first_sign(self, sign: Tensor, expected: int | None) -> None:
        """Among all that a wrong result was made from, right or not; not after it."""
        assert reading(*self.GRAPH).first_sign(4, Results([sign])) == expected

    def test_a_part_of_a_sign_counts_where_it_was_computed(self) -> None:
        """A loop makes it row by row; what only picks a row of something has made nothing."""
        computed = made((UNKNOWN * 2)[0], -1)
        picked = made((UNKNOWN * 2)[0], -1, what="__getitem__")
        named = made((UNKNOWN * 2)[0], -1, kind="name")
        signs = Results([UNKNOWN * 2])
        assert reading(computed).first_sign(0, signs) == 0
        assert reading(picked).first_sign(0, signs) is None
        assert reading(named).first_sign(0, signs) is None

    @pytest.mark.parametrize(
        ("number", "size"), [(0, 6), (3, 24), (-1, 24), (-2, 5), (-3, 1), (-(1 << 61), 1)]
    )
    def test_size(self, number: int, size: int) -> None:
        """Of a step, or an input; of one that there is not, of no account."""
        assert reading(*self.GRAPH).size(number) == size
