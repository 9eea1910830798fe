"""`grader.stages`, on a toy: numbers are squared, averaged, shifted, and handed over."""

from __future__ import annotations

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
