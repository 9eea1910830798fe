"""`grader.stages`, on a toy: numbers are squared, averaged, shifted, and handed over."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

import pytest
import torch
from torch import Tensor

from grader.stages import Choice, Computation, Evaluation, Fitted, Stage, Step, Variant

NUMBERS = torch.tensor([1.0, -2.0, 3.0], dtype=torch.float64)


def offset_of(result: Tensor, mean: Tensor) -> float:
    return float(result - mean)


FITTED = Fitted(lambda mean, constant: mean + constant, offset_of)


def toy(**right: Step) -> Computation:
    """squares -> mean -> shifted -> result, and `spread` beside them; some right steps replaced."""
    return Computation(
        stages=(
            Stage(
                "squares",
                right.get("squares", lambda numbers: numbers**2),
                {
                    "absolute": [lambda numbers: numbers.abs()],
                    "cubes": [
                        lambda numbers: numbers**3,
                        Variant(
                            {
                                "squares": lambda numbers: numbers**3,
                                "shifted": lambda mean: -mean,
                            }
                        ),
                    ],
                },
            ),
            Stage(
                "mean",
                right.get("mean", lambda squares: squares.mean()),
                {
                    "sum": [lambda squares: squares.sum()],
                    "breaks": [lambda squares: squares.reshape(100)],
                    "narrow": [lambda squares, dtype: squares.mean().to(dtype).double()],
                },
            ),
            Stage("spread", lambda squares: squares.std()),
            Stage("shifted", lambda mean, shift: mean + shift, {"other_shift": [FITTED]}),
            Stage("result", lambda shifted: shifted),
        ),
        outputs={"result": "result", "spread": "spread"},
    )


def choose(computation: Computation, trap: str, way: int = 0) -> Choice:
    return [choice for choice in computation.choices() if choice.trap == trap][way]


def evaluate(computation: Computation, dtype: torch.dtype = torch.float32) -> Evaluation:
    return Evaluation(computation, {"numbers": NUMBERS, "shift": 1.0}, dtype)


class Counted:
    """A step that counts how often it is taken."""

    def __init__(self, step: Callable[[Tensor], Tensor]) -> None:
        self.step = step
        self.taken = 0

    def __call__(self, numbers: Tensor) -> Tensor:
        self.taken += 1
        return self.step(numbers)


def result(chosen: list[Choice], constants: Mapping[int, float] | None = None) -> float:
    """The toy's result; its own computation is made anew, the choices' steps are what count."""
    found = evaluate(toy()).output("result", chosen, constants or {})
    assert found is not None
    return float(found)


class TestChoices:
    def test_by_stage_then_as_listed(self) -> None:
        """Every way of every trap is a choice of its own."""
        found = [(choice.trap, choice.stage) for choice in toy().choices()]
        assert found == [
            ("absolute", "squares"),
            ("cubes", "squares"),
            ("cubes", "squares"),
            ("sum", "mean"),
            ("breaks", "mean"),
            ("narrow", "mean"),
            ("other_shift", "shifted"),
        ]

    def test_plain_step_stands_at_its_stage(self) -> None:
        """A step that is not a Variant takes the place of its stage's right step."""
        assert list(choose(toy(), "sum").steps) == ["mean"]

    def test_variant_keeps_its_stages(self) -> None:
        """A Variant says itself which stages it is about."""
        assert list(choose(toy(), "cubes", way=1).steps) == ["squares", "shifted"]


class TestBefore:
    def test_all_that_a_result_comes_from(self) -> None:
        """The stage and its ancestors, whichever way they are reached."""
        assert toy().before("shifted") == {"squares", "mean", "shifted"}

    def test_stages_beside_it_are_left_out(self) -> None:
        """What is later, or merely comes from the same stage, is not among them."""
        assert toy().before("spread") == {"squares", "spread"}

    def test_inputs_are_no_stages(self) -> None:
        """A first stage comes from itself alone."""
        assert toy().before("squares") == {"squares"}


class TestEvaluation:
    def test_right_path(self) -> None:
        """Without choices the right steps are taken."""
        assert result([]) == pytest.approx(14 / 3 + 1)

    def test_one_choice(self) -> None:
        """A choice replaces the step of its stage; what follows is computed from it."""
        assert result([choose(toy(), "absolute")]) == pytest.approx(6 / 3 + 1)

    def test_two_choices(self) -> None:
        """Choices at different stages work together."""
        chosen = [choose(toy(), "absolute"), choose(toy(), "sum")]
        assert result(chosen) == pytest.approx(6 + 1)

    def test_variant_over_two_stages(self) -> None:
        """All steps of a Variant are taken: the cubes' mean, and a minus for the shift."""
        assert result([choose(toy(), "cubes", way=1)]) == pytest.approx(-20 / 3)

    def test_stages_can_be_asked_for(self) -> None:
        """Not only outputs."""
        squares = evaluate(toy()).stage("squares", [], {})
        assert squares is not None
        assert squares.tolist() == [1, 4, 9]

    def test_dtype_of_the_case(self) -> None:
        """A step can ask for the dtype in which the case is really computed."""
        computation = toy()
        chosen = [choose(computation, "narrow")]
        rounded = evaluate(computation, torch.bfloat16).stage("mean", chosen, {})
        assert rounded == torch.tensor(14 / 3, dtype=torch.bfloat16)

    def test_shared_results_are_computed_once(self) -> None:
        """A step is taken once for all outputs and combinations that need the same result."""
        squares = Counted(lambda numbers: numbers**2)
        computation = toy(squares=lambda numbers: squares(numbers))
        evaluation = evaluate(computation)
        for chosen in ([], [choose(computation, "sum")], []):
            evaluation.output("result", chosen, {})
            evaluation.output("spread", chosen, {})
        assert squares.taken == 1

    def test_results_of_different_origin_are_kept_apart(self) -> None:
        """One step on two different earlier results has two results."""
        computation = toy()
        evaluation = evaluate(computation)
        right = evaluation.stage("mean", [], {})
        assert evaluation.stage("mean", [choose(computation, "absolute")], {}) != right
        assert evaluation.stage("mean", [], {}) is right

    def test_step_that_raises_has_no_result(self) -> None:
        """None stands for it, and for all that comes from it."""
        computation = toy()
        evaluation = evaluate(computation)
        chosen = [choose(computation, "breaks")]
        assert evaluation.stage("mean", chosen, {}) is None
        assert evaluation.output("result", chosen, {}) is None

    def test_step_that_raises_leaves_the_others_alone(self) -> None:
        """What does not come from it has its result."""
        computation = toy()
        assert (
            evaluate(computation).output("spread", [choose(computation, "breaks")], {}) is not None
        )


class TestShared:
    """One evaluation answers for any combination, in any order, as one of its own would."""

    def test_no_combination_leaves_a_mark_on_another(self) -> None:
        """Every pair of choices, one after the other and back again."""
        computation = toy()
        choices = [each for each in computation.choices() if each.trap != "other_shift"]
        pairs = [list(pair) for pair in itertools.permutations(choices, 2)]
        shared = evaluate(computation)
        for chosen in (*pairs, *reversed(pairs)):
            for name in ("result", "spread"):
                expected = evaluate(computation).output(name, chosen, {})
                found = shared.output(name, chosen, {})
                assert (found is None) is (expected is None)
                assert found is None or expected is None or torch.equal(found, expected)

    def test_a_later_step_takes_an_earlier_stage_that_is_wrong(self) -> None:
        """Though the right step of its stage does not take it."""
        far = Stage("far", lambda near: near, {"jump": [lambda numbers, first: numbers + first]})
        first = Stage("first", lambda numbers: numbers, {"double": [lambda numbers: numbers * 2]})
        near = Stage("near", lambda numbers: numbers * 10)
        computation = Computation((first, near, far), {"result": "far"})
        evaluation = Evaluation(computation, {"numbers": NUMBERS}, torch.float32)
        evaluation.output("result", [], {})
        chosen = [choose(computation, "double"), choose(computation, "jump")]
        found = evaluation.output("result", chosen, {})
        assert found is not None
        assert torch.equal(found, NUMBERS * 3)

    def test_two_solutions_have_two_estimates(self) -> None:
        """What is remembered of one is not told of the other."""
        evaluation = evaluate(toy())
        found = [
            evaluation.estimate(FITTED, [], {}, {"result": result})
            for result in (torch.tensor(14 / 3 + 5), torch.tensor(14 / 3 + 6))
        ]
        assert found == [pytest.approx(5, abs=1e-6), pytest.approx(6, abs=1e-6)]


def signed(*signs: Step, trap: str = "doubled") -> Computation:
    """numbers -> twice, with these signs of a mistake that is made there."""
    stage = Stage(
        "twice",
        lambda numbers: numbers + numbers,
        {"doubled": [lambda numbers: numbers * 4], "halved": [lambda numbers: numbers]},
        signs={trap: list(signs)},
    )
    return Computation((stage,), {"result": "twice"})


class TestSigns:
    def test_those_of_a_trap(self) -> None:
        """Computed from inputs and right stages, also of the stage itself."""
        computation = signed(lambda numbers: numbers * 3, lambda twice: twice + 1)
        found = evaluate_numbers(computation).signs("doubled")
        assert [sign.tolist() for sign in found] == [[3, -6, 9], [3, -3, 7]]

    @pytest.mark.parametrize("trap", ["halved", "unknown", ""])
    def test_others_have_none(self, trap: str) -> None:
        """Each trap its own."""
        assert evaluate_numbers(signed(lambda numbers: numbers)).signs(trap) == []

    def test_one_that_raises_is_left_out(self) -> None:
        """In some case it has no result; the others stand."""
        computation = signed(lambda numbers: numbers.reshape(100), lambda numbers: numbers)
        assert len(evaluate_numbers(computation).signs("doubled")) == 1

    def test_waypoints_are_no_signs(self) -> None:
        """What is right on the way shows no mistake."""
        stage = Stage(
            "twice",
            lambda numbers: numbers * 2,
            {"doubled": [lambda numbers: numbers]},
            [lambda numbers: numbers * 7],
        )
        evaluation = evaluate_numbers(Computation((stage,), {"result": "twice"}))
        assert evaluation.signs("doubled") == []
        assert [each.tolist() for each in evaluation.waypoints()] == [[7, -14, 21]]


def evaluate_numbers(computation: Computation) -> Evaluation:
    return Evaluation(computation, {"numbers": NUMBERS}, torch.float32)


TABLE = torch.arange(24, dtype=torch.float64).reshape(2, 3, 4).sin()


class TestTurned:
    """A right step along other axes."""

    @staticmethod
    def of(step: Step, name: str = "table") -> list[Tensor]:
        table = Stage(name, lambda numbers: numbers)
        computation = Computation((table, Stage("result", step)), {"result": "result"})
        evaluation = Evaluation(computation, {"numbers": TABLE, "factor": 2.0}, torch.float32)
        return list(evaluation.turned("result"))

    def test_as_over_each_other_axis(self) -> None:
        """A softmax over the first axis, taken over the second and the third instead, too."""
        found = self.of(lambda table: table.softmax(0))
        for axis in (0, 1, 2):
            assert any(torch.allclose(turned, TABLE.softmax(axis)) for turned in found)

    def test_what_knows_no_axes_stays_the_same(self) -> None:
        """Taken of a turned source and turned back."""
        found = self.of(lambda table, factor: table * factor)
        assert len(found) == 3
        assert all(torch.equal(turned, TABLE * 2) for turned in found)

    def test_of_no_axes_nothing_is_left_to_turn_back(self) -> None:
        """A total has none; one axis of three can be no exchange of two."""
        assert self.of(lambda table: table.sum()) == []
        assert self.of(lambda table: table.sum((0, 1))) == []

    def test_a_step_that_cannot_be_taken_is_left_out(self) -> None:
        """Sizes may fit one way only: here with the last axis in its place, so one way of three."""
        weight = torch.ones(4, 5, dtype=torch.float64)
        assert len(self.of(lambda table: table @ weight)) == 1

    def test_a_step_of_inputs_alone_has_no_source_to_turn(self) -> None:
        """It takes no stage."""
        assert self.of(lambda numbers: numbers.softmax(0)) == []

    def test_the_largest_source_is_turned(self) -> None:
        """The others stay as they are."""
        small = Stage("small", lambda numbers: numbers[0, 0])
        large = Stage("large", lambda numbers: numbers)
        last = Stage("result", lambda small, large: large.softmax(0) + small.sum())
        computation = Computation((small, large, last), {"result": "result"})
        evaluation = Evaluation(computation, {"numbers": TABLE}, torch.float32)
        found = list(evaluation.turned("result"))
        expected = TABLE.softmax(1) + TABLE[0, 0].sum()
        assert any(torch.allclose(turned, expected) for turned in found)

    def test_results_are_as_before(self) -> None:
        """Turning leaves no mark."""
        table = Stage("table", lambda numbers: numbers)
        computation = Computation(
            (table, Stage("result", lambda table: table.softmax(0))), {"result": "result"}
        )
        evaluation = Evaluation(computation, {"numbers": TABLE}, torch.float32)
        list(evaluation.turned("result"))
        found = evaluation.output("result", [], {})
        assert found is not None
        assert torch.equal(found, TABLE.softmax(0))


class TestFitted:
    def test_constant_is_used(self) -> None:
        """A fitted step takes the constant that is given for it."""
        assert result([choose(toy(), "other_shift")], {id(FITTED): 7.0}) == pytest.approx(
            14 / 3 + 7
        )

    def test_results_of_two_constants_are_kept_apart(self) -> None:
        """The constant is a part of what a result is remembered by."""
        computation = toy()
        evaluation = evaluate(computation)
        chosen = [choose(computation, "other_shift")]
        found = [evaluation.output("result", chosen, {id(FITTED): each}) for each in (1.0, 2.0)]
        assert found[0] != found[1]

    def test_without_a_constant_there_is_no_result(self) -> None:
        """Nothing is guessed."""
        computation = toy()
        assert (
            evaluate(computation).output("result", [choose(computation, "other_shift")], {}) is None
        )

    def test_estimate_is_given_the_right_stages(self) -> None:
        """It compares what was returned with what the earlier stages give."""
        actual = {"result": torch.tensor(14 / 3 + 5)}
        assert evaluate(toy()).estimate(FITTED, [], {}, actual) == pytest.approx(5, abs=1e-6)

    def test_estimate_takes_the_other_choices_into_account(self) -> None:
        """Among the choices is the fitted one itself, which is left out."""
        computation = toy()
        chosen = [choose(computation, "absolute"), choose(computation, "other_shift")]
        actual = {"result": torch.tensor(2 + 5.0)}
        found = evaluate(computation).estimate(FITTED, chosen, {}, actual)
        assert found == pytest.approx(5, abs=1e-6)

    @pytest.mark.parametrize("value", [None, float("nan")])
    def test_estimate_that_cannot_tell(self, value: float | None) -> None:
        """NaN is as good as None."""
        fitted = Fitted(lambda mean, constant: mean, lambda mean: value)
        assert evaluate(toy()).estimate(fitted, [], {}, {}) is None

    def test_estimate_of_an_output_that_is_missing(self) -> None:
        """A solution may not have returned what the estimate needs."""
        fitted = Fitted(lambda mean, constant: mean, lambda unknown: 1.0)
        assert evaluate(toy()).estimate(fitted, [], {}, {}) is None

    def test_estimate_that_raises(self) -> None:
        """The solution's outputs may have any shape."""
        fitted = Fitted(lambda mean, constant: mean, lambda numbers: float(numbers.reshape(100)))
        assert evaluate(toy()).estimate(fitted, [], {}, {}) is None

    def test_estimate_from_a_stage_without_result(self) -> None:
        """What another choice has broken tells nothing."""
        computation = toy()
        actual = {"result": torch.tensor(1.0)}
        chosen = [choose(computation, "breaks")]
        assert evaluate(computation).estimate(FITTED, chosen, {}, actual) is None


def mistakes(*stages: Stage, outputs: Mapping[str, str] | None = None) -> list[str]:
    computation = Computation(stages, outputs or {"result": stages[0].name})
    return computation.mistakes(["numbers"], ["result"])


class TestMistakes:
    def test_none(self) -> None:
        """The toy is in order."""
        assert toy().mistakes(["numbers", "shift"], ["result", "spread"]) == []

    def test_same_name_twice(self) -> None:
        """A stage is known by its name."""
        stage = Stage("squares", lambda numbers: numbers**2)
        assert mistakes(stage, stage) == ["two stages have one name"]

    def test_output_without_a_stage(self) -> None:
        """Every output of the problem comes from some stage."""
        found = toy().mistakes(["numbers", "shift"], ["result", "spread", "more"])
        assert found == ["outputs must name a stage for each of result, spread, more"]

    def test_output_from_an_unknown_stage(self) -> None:
        """The stage of an output exists."""
        stage = Stage("squares", lambda numbers: numbers**2)
        assert mistakes(stage, outputs={"result": "sqares"}) == [
            'output "result": no stage "sqares"'
        ]

    def test_parameter_of_a_right_step(self) -> None:
        """A right step is made from inputs and earlier stages."""
        stage = Stage("squares", lambda nubmers: nubmers**2)
        assert mistakes(stage) == [
            'stage "squares": "nubmers" is neither an input nor an earlier stage'
        ]

    def test_parameter_of_a_trap(self) -> None:
        """So is a wrong one, and it never looks ahead."""
        first = Stage("first", lambda numbers: numbers, {"ahead": [lambda second: second]})
        second = Stage("second", lambda first: first)
        assert mistakes(first, second) == [
            'trap "ahead": "second" is neither an input nor an earlier stage'
        ]

    def test_parameter_of_a_fitted_step(self) -> None:
        """The constant is no input, and not asked for as one; the rest is."""
        fitted = Fitted(lambda nothing, constant: nothing, lambda result: 1.0)
        assert mistakes(Stage("first", lambda numbers: numbers, {"free": [fitted]})) == [
            'trap "free": "nothing" is neither an input nor an earlier stage'
        ]

    def test_parameter_of_a_variant_at_a_later_stage(self) -> None:
        """Each step of a Variant is looked at where it is taken."""
        variant = Variant({"first": lambda numbers: numbers, "second": lambda third: third})
        first = Stage("first", lambda numbers: numbers, {"both": [variant]})
        second = Stage("second", lambda first: first)
        third = Stage("third", lambda second: second)
        assert mistakes(first, second, third) == [
            'trap "both": "third" is neither an input nor an earlier stage'
        ]

    def test_variant_at_an_unknown_stage(self) -> None:
        """The stages of a Variant exist."""
        variant = Variant({"first": lambda numbers: numbers, "thrid": lambda first: first})
        assert mistakes(Stage("first", lambda numbers: numbers, {"both": [variant]})) == [
            'trap "both": no stage "thrid"'
        ]

    def test_parameters_with_a_default_and_dtype(self) -> None:
        """Neither has to be an input."""
        assert mistakes(Stage("first", lambda numbers, dtype, power=2: numbers**power)) == []

    def test_parameter_of_a_sign(self) -> None:
        """A sign is made from inputs and stages up to its own; it never looks ahead."""
        first = Stage(
            "first",
            lambda numbers: numbers,
            {"trap": [lambda numbers: numbers]},
            signs={"trap": [lambda first: first, lambda second: second]},
        )
        assert mistakes(first, Stage("second", lambda first: first)) == [
            'sign of "trap": "second" is neither an input nor an earlier stage'
        ]

    @pytest.mark.parametrize("trap", ["unknown", "later"])
    def test_sign_of_what_is_no_trap_of_its_stage(self, trap: str) -> None:
        """A sign belongs to a mistake that is made there."""
        first = Stage("first", lambda numbers: numbers, signs={trap: [lambda numbers: numbers]})
        later = Stage("second", lambda first: first, {"later": [lambda first: first * 2]})
        assert mistakes(first, later) == [
            f'stage "first": a sign of "{trap}", which is no trap of it'
        ]

    def test_signs_in_order(self) -> None:
        """A table with signs has nothing wrong with it."""
        assert signed(lambda numbers: numbers).mistakes(["numbers"], ["result"]) == []
