"""Which traps explain returned values: the table of `grading_peaks`, and evidence made from it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from grader.grading.computation import load_computation
from grader.grading.search import Evidence, Explanation, Touchstone, distance, explain
from grader.problem.model import DEFAULT_TOLERANCES, Tolerance
from grader.stages import Choice, Computation, Evaluation, Fitted, Stage
from tests.grading.grading_peaks import make_peaks

SHAPES = {"small": (2, 3, 5), "large": (3, 4, 7)}
EPS = {"small": 0.25, "large": 0.05}
LOOSE = Tolerance(atol=0.1, rtol=0.0)


@pytest.fixture(scope="module")
def peaks(tmp_path_factory: pytest.TempPathFactory) -> Computation:
    """The computation of the problem."""
    return load_computation(make_peaks(tmp_path_factory.mktemp("peaks")))


def inputs(case: str) -> dict[str, Any]:
    random = torch.Generator().manual_seed(len(case))
    table = 1 + torch.randn(SHAPES[case], generator=random, dtype=torch.float64)
    return {"table": table, "eps": EPS[case]}


def evidence_of(
    computation: Computation,
    *traps: str,
    way: int = 0,
    constant: float = 0.6,
    dtype: torch.dtype = torch.float32,
    change: Mapping[str, Tensor | None] | None = None,
) -> list[Evidence]:
    """What a solution with these traps returns in two cases, rounded to `dtype`.

    `change`: by output, what is returned in the small case instead; None: nothing that counts.
    """
    chosen = [ways_of(computation, trap)[way] for trap in traps]
    steps = [step for choice in chosen for step in choice.steps.values()]
    constants = {id(step): constant for step in steps if isinstance(step, Fitted)}
    tolerance = DEFAULT_TOLERANCES[str(dtype).removeprefix("torch.")]
    made = []
    for case in SHAPES:
        evaluation = Evaluation(computation, inputs(case), dtype)
        actual = {name: evaluation.output(name, chosen, constants) for name in computation.outputs}
        actual |= change if change and case == "small" else {}
        told = {name: v.to(dtype).double() for name, v in actual.items() if v is not None}
        tolerances = dict.fromkeys(told, (tolerance, 1.0))
        made.append(Evidence(case, inputs(case), dtype, told, tolerances, failed=True))
    return made


def ways_of(computation: Computation, trap: str) -> list[Choice]:
    return [choice for choice in computation.choices() if choice.trap == trap]


def names(found: list[Explanation]) -> list[set[str]]:
    return [set(each.traps) for each in found]


SINGLE = (
    "uncentred", "centred_over_rows", "unbiased_scale", "eps_outside_root", "other_eps", "lowest",
    "absolute_peaks", "swapped_tables", "standardised_values", "mean_of_rows",
)  # fmt: skip


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("trap", SINGLE)
def test_one_mistake(peaks: Computation, trap: str, dtype: torch.dtype) -> None:
    """Named alone: plain, with a free constant, over two stages."""
    assert names(explain(peaks, evidence_of(peaks, trap, dtype=dtype))) == [{trap}]


def test_every_way_of_a_mistake(peaks: Computation) -> None:
    """The numbers differ, the name is one."""
    found = explain(peaks, evidence_of(peaks, "centred_over_rows", way=1))
    assert names(found) == [{"centred_over_rows"}]
    assert found[0].choices[0].steps == ways_of(peaks, "centred_over_rows")[1].steps


@pytest.mark.parametrize(
    "traps",
    [
        ("uncentred", "unbiased_scale"),
        ("uncentred", "other_eps"),
        ("eps_outside_root", "mean_of_rows"),
        ("other_eps", "standardised_values"),
        ("uncentred", "swapped_tables"),
        ("uncentred", "eps_outside_root", "lowest"),
        ("uncentred", "unbiased_scale", "standardised_values"),
    ],
    ids=" + ".join,
)
def test_several_mistakes(peaks: Computation, traps: tuple[str, ...]) -> None:
    """Two and three, before the first output, after it, and on both sides of it."""
    assert set(traps) in names(explain(peaks, evidence_of(peaks, *traps)))


def test_a_right_solution_needs_no_explanation(peaks: Computation) -> None:
    """Nor does none at all."""
    assert explain(peaks, evidence_of(peaks)) == []
    assert explain(peaks, []) == []


def test_two_that_give_the_same_are_both_told(peaks: Computation) -> None:
    """As alternatives, each a set of its own."""
    found = explain(peaks, evidence_of(peaks, "negated_scores"))
    assert sorted(map(sorted, names(found))) == [["negated_scores"], ["reversed_difference"]]


def test_the_fewest_are_told(peaks: Computation) -> None:
    """Once one explains all, pairs are not looked for."""
    found = explain(peaks, evidence_of(peaks, "standardised_values"))
    assert [len(each.traps) for each in found] == [1]


def test_two_of_one_stage_are_never_combined(peaks: Computation) -> None:
    """There is one step at a stage; two traps there are two solutions."""
    small = evidence_of(peaks, "lowest")[:1]
    large = evidence_of(peaks, "absolute_peaks")[1:]
    assert explain(peaks, small + large) == []


def test_every_case_counts(peaks: Computation) -> None:
    """One that was passed too: the mistake would show there."""
    wrong, right = evidence_of(peaks, "unbiased_scale"), evidence_of(peaks)
    passed = replace(right[1], failed=False)
    assert names(explain(peaks, wrong[:1])) == [{"unbiased_scale"}]
    assert explain(peaks, [wrong[0], passed]) == []


class TestApart:
    """Cases in which there is nothing to compute with, and that were passed."""

    def test_one_that_is_treated_by_itself(self, peaks: Computation) -> None:
        """It is right, where the mistake would not be: the name stands, and that is told."""
        wrong, right = evidence_of(peaks, "unbiased_scale"), evidence_of(peaks)
        (found,) = explain(peaks, [wrong[0], standing_apart(right[1])])
        assert (found.traps, found.apart) == (("unbiased_scale",), True)

    def test_one_that_the_mistake_explains_too(self, peaks: Computation) -> None:
        """Then nothing was treated by itself."""
        small, large = evidence_of(peaks, "unbiased_scale")
        (found,) = explain(peaks, [small, standing_apart(large)])
        assert (found.traps, found.apart) == (("unbiased_scale",), False)

    def test_what_explains_it_too_comes_before_what_does_not(self) -> None:
        """Of two that no other case tells apart, this one may."""
        both = Stage(
            "only",
            lambda table: table,
            {"doubled": [lambda table: table * 2], "plus": [lambda table: table + 1]},
        )
        computation = Computation((both,), {"peaks": "only"})
        one = small_evidence([[1.0]], [[2.0]])
        assert names(explain(computation, [one])) == [{"doubled"}, {"plus"}]
        other = standing_apart(small_evidence([[3.0]], [[4.0]]))
        assert names(explain(computation, [one, other])) == [{"plus"}]
        neither = standing_apart(small_evidence([[3.0]], [[3.0]]))
        assert names(explain(computation, [one, neither])) == [{"doubled"}, {"plus"}]

    def test_how_close_it_is_is_that_of_the_others(self, peaks: Computation) -> None:
        """A case that is not explained has no part in it."""
        wrong, right = evidence_of(peaks, "lowest"), evidence_of(peaks)
        (found,) = explain(peaks, [wrong[0], standing_apart(right[1])])
        (alone,) = explain(peaks, wrong[:1])
        assert found.largest_ratio == alone.largest_ratio < 0.1

    def test_they_alone_explain_nothing(self, peaks: Computation) -> None:
        """All that failed must be explained; what is right there needs no reason."""
        wrong, right = evidence_of(peaks, change={"peaks": torch.rand(2, 3)}), evidence_of(peaks)
        assert explain(peaks, [wrong[0], standing_apart(right[1])]) == []
        assert explain(peaks, [standing_apart(each) for each in right]) == []

    def test_a_case_that_is_passed_and_does_not_stand_apart_counts(
        self, peaks: Computation
    ) -> None:
        """Who is right where there is something to compute does not make this mistake."""
        wrong, right = evidence_of(peaks, "unbiased_scale"), evidence_of(peaks)
        assert explain(peaks, [wrong[0], replace(right[1], failed=False)]) == []


def standing_apart(evidence: Evidence) -> Evidence:
    return replace(evidence, failed=False, apart=True)


def small_evidence(table: list[list[float]], actual: list[list[float]]) -> Evidence:
    """One number in, one number out."""
    return Evidence(
        "small",
        {"table": torch.tensor(table, dtype=torch.float64)},
        torch.float32,
        {"peaks": torch.tensor(actual, dtype=torch.float64)},
        {"peaks": (DEFAULT_TOLERANCES["float32"], 1.0)},
        failed=True,
    )


def test_digits_that_are_lost_cost_no_name(peaks: Computation) -> None:
    """What came has the digits of single precision, and is compared as that; `exact` is what double
    precision would ask, and is another's to look at."""
    single = evidence_of(peaks, "unbiased_scale", dtype=torch.float32)
    exact = dict.fromkeys(single[0].actual, (DEFAULT_TOLERANCES["float64"], 1.0))
    double = [replace(each, dtype=torch.float64, exact=exact) for each in single]
    assert names(explain(peaks, double)) == [{"unbiased_scale"}]
    strict = [replace(each, tolerances=exact) for each in double]
    assert explain(peaks, strict) == []


def test_every_output_counts(peaks: Computation) -> None:
    """A name that fits one of them only is none."""
    changed = {"total": torch.full((2, 5), 7.0, dtype=torch.float64)}
    assert explain(peaks, evidence_of(peaks, "lowest", change=changed)) == []


def test_an_output_that_is_missing_does_not_count(peaks: Computation) -> None:
    """It was of another type, say; the others still tell."""
    small = evidence_of(peaks, "lowest", change={"peaks": None})[:1]
    assert {"lowest"} in names(explain(peaks, small))


@pytest.mark.parametrize(
    "change",
    [
        {"peaks": torch.zeros(2, 4), "total": torch.zeros(2, 5)},
        {"peaks": torch.full((2, 3), math.inf)},
        {"peaks": torch.linspace(-3, 3, 6).reshape(2, 3)},
    ],
    ids=["shape", "infinite", "numbers"],
)
def test_what_no_trap_gives_has_no_name(
    peaks: Computation, change: Mapping[str, Tensor | None]
) -> None:
    """Whatever was returned instead."""
    assert explain(peaks, evidence_of(peaks, change=change)[:1]) == []


def test_nan_everywhere_has_no_name(peaks: Computation) -> None:
    """It looks the same whatever it comes from, though a trap may well give it."""
    nan = Stage("only", lambda table: table, {"nan": [lambda table: table * math.nan]})
    table = torch.ones(2, 2, dtype=torch.float64)
    tolerances = {"out": (Tolerance(1e-5, 1e-5), 1.0)}
    actual = {"out": table * math.nan}
    case = Evidence("a", {"table": table}, torch.float32, actual, tolerances, failed=True)
    assert explain(Computation((nan,), {"out": "only"}), [case]) == []


def test_a_constant_is_found_from_the_finest_case(peaks: Computation) -> None:
    """Float64 tells it to more digits than float32."""
    coarse, _ = evidence_of(peaks, "other_eps")
    _, fine = evidence_of(peaks, "other_eps", dtype=torch.float64)
    (found,) = explain(peaks, [coarse, fine])
    assert list(found.constants.values()) == [pytest.approx(0.6, abs=1e-12)]


def test_how_close_it_is_is_told(peaks: Computation) -> None:
    """In tolerances, of all cases the worst; rounding to float32 is a small part of one."""
    (found,) = explain(peaks, evidence_of(peaks, "lowest"))
    assert 0 < found.largest_ratio < 0.1


DISTANCES = [
    ([1.0, 2.0], [1.0, 2.2], 2.0),
    ([1.0, 2.0], [1.0, 2.0], 0.0),
    ([math.nan], [math.nan], 0.0),
    ([math.nan], [1.0], math.inf),
    ([1.0], [math.nan], math.inf),
    ([math.inf], [math.inf], 0.0),
    ([math.inf], [-math.inf], math.inf),
    ([math.inf], [1.0], math.inf),
    ([1.0], [1.0, 1.0], math.inf),
    ([], [], 0.0),
]


@pytest.mark.parametrize(("actual", "predicted", "expected"), DISTANCES)
def test_distance(actual: list[float], predicted: list[float], expected: float) -> None:
    """In tolerances of the worst element; nothing is near what is not finite but itself."""
    found = distance(torch.tensor(actual), torch.tensor(predicted), LOOSE, 1.0)
    assert found == pytest.approx(expected, abs=1e-5)


def test_distance_grows_with_a_smaller_scale() -> None:
    """The tolerance is in units of it."""
    one, other = torch.tensor([1.0]), torch.tensor([2.0])
    assert distance(one, other, LOOSE, 0.5) == pytest.approx(2 * distance(one, other, LOOSE, 1.0))


@pytest.mark.parametrize(
    ("value", "admitted"), [(1.0, True), (1.7, True), (2.0, False), (math.nan, True)]
)
def test_touchstone(value: float, admitted: bool) -> None:
    """Far at one element is far; what is not finite is left to the whole comparison."""
    stone = Touchstone(place=1, actual=1.0, tolerance=LOOSE, scale=1.0)
    assert stone.admits(torch.tensor([99.0, value])) is admitted
