"""A valid spec to a `Problem`: every field, defaults filled in, points exact, files hashed."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from grader.problem.errors import ProblemInvalid, SpecError
from grader.problem.expressions import Expression, parse
from grader.problem.load import load
from grader.problem.model import (
    AlignEdit,
    Constant,
    CopyEdit,
    Distribution,
    Edit,
    Layout,
    Normal,
    Output,
    PerAxis,
    Problem,
    Recognition,
    ScalarInput,
    SetEdit,
    StageText,
    TensorInput,
    Tolerance,
    Uniform,
    Values,
)

FIRST = "dims: {batch: 2, width: 3}}"


def e(source: object) -> Expression:
    return parse(source)


@pytest.fixture
def problem(toy: str, write: Callable[[str], Path]) -> Problem:
    return load(write(toy))


def test_the_signature_is_read_in_order(problem: Problem) -> None:
    """Inputs keep the order of the file, which is that of the parameters."""
    assert problem.inputs == (
        TensorInput("x", (e("batch"), e("width"))),
        TensorInput("y", (e("width"),)),
        ScalarInput("eps", 1e-6),
    )
    assert problem.signature == "toy(x, y, eps=1e-06)"


def test_outputs_name_their_axes(problem: Problem) -> None:
    """Axes that are not named are called by the text of their size."""
    assert problem.outputs == (
        Output("total", (e("batch"),), ("batch",), scale_inputs=("x",)),
        Output("shares", (e("batch"), e("width + 1")), ("row", "part"), sums_to_one="part"),
    )


def test_tolerances_are_those_of_the_spec_before_the_usual_ones(problem: Problem) -> None:
    """A dtype the spec does not mention has its usual tolerance."""
    assert problem.tolerances["float32"] == Tolerance(1e-4, 1e-5)
    assert problem.tolerances["bfloat16"] == Tolerance(6e-2, 3e-2)


def test_limits_are_those_of_the_spec_before_the_usual_ones(problem: Problem) -> None:
    """A limit the spec does not mention has its usual value."""
    limits = problem.limits
    assert (limits.case_s, limits.memory_mb, limits.total_s) == (2.0, 1024, 60.0)


def test_points_are_exact(problem: Problem) -> None:
    """4.1 and 5.9 are decimals, and add up to 10."""
    assert [case.points for case in problem.cases] == [Decimal("4.1"), Decimal("5.9")]
    assert sum(case.points for case in problem.cases) == problem.points == Decimal(10)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("4", "4"),
        ("4.10", "4.10"),
        ("41e-1", "4.1"),
        ("1e1", "10"),
        ("0x0A", "10"),
        ("+0.5", "0.5"),
    ],
)
def test_points_are_what_is_written(
    toy: str, write: Callable[[str], Path], text: str, points: str
) -> None:
    """Any way to write a number is the decimal it means, without an exponent."""
    rest = Decimal("5.9") + Decimal(points)
    spec = toy.replace("points: 4.1", f"points: {text}").replace("points: 10", f"points: {rest}")
    assert str(load(write(spec)).cases[0].points) == points


def test_a_case_says_more_than_the_defaults(toy: str, write: Callable[[str], Path]) -> None:
    """Inputs are merged by name: the case's word for one, the default for the other."""
    case = load(write(toy.replace(FIRST, FIRST[:-1] + ", inputs: {x: 3, eps: 1e-2}}"))).cases[0]
    assert list(case.fills) == ["x", "y", "eps"]
    assert case.fills["x"].distribution == Constant(e(3))
    assert case.fills["y"].distribution == Uniform(e(0), e(1))
    assert case.fills["eps"].distribution == Constant(e(1e-2))


def test_defaults_hold_for_every_setting(toy: str, write: Callable[[str], Path]) -> None:
    """Dims are merged by name, as inputs are; a list is replaced whole."""
    spec = toy.replace(
        "defaults:\n", "defaults:\n  dims: {width: 5}\n  dtype: float64\n  repeats: 2\n"
    )
    first, second = load(
        write(spec.replace("{batch: 2, width: 3}}", "{batch: 2}, repeats: 1}"))
    ).cases
    assert (first.dims, first.dtype, first.repeats) == ({"width": 5, "batch": 2}, "float64", 1)
    assert (second.dims, second.dtype, second.repeats) == ({"width": 1, "batch": 4}, "float64", 2)


DISTRIBUTIONS: list[tuple[str, Distribution]] = [
    ("{normal: {}}", Normal(e(0), e(1))),
    ("{normal: {scale: 2 / sqrt(width), mean: -1}}", Normal(e(-1), e("2 / sqrt(width)"))),
    (
        "{normal: {scale: {over: width, log_uniform: [0.1, 10]}}}",
        Normal(e(0), PerAxis(("width",), "log_uniform", (e(0.1), e(10)))),
    ),
    (
        "{normal: {mean: {over: [batch, width], normal: 1}}}",
        Normal(PerAxis(("batch", "width"), "normal", (e(1),)), e(1)),
    ),
    (
        "{normal: {mean: {over: [batch], uniform: [0, width]}}}",
        Normal(PerAxis(("batch",), "uniform", (e(0), e("width"))), e(1)),
    ),
    (
        "{normal: {mean: {over: batch, values: [1, 2]}}}",
        Normal(PerAxis(("batch",), "values", (e(1), e(2))), e(1)),
    ),
    ("{uniform: [0, width]}", Uniform(e(0), e("width"))),
    ("{constant: -.inf}", Constant(e("-inf"))),
    ("1 / width", Constant(e("1 / width"))),
    (
        "{values: [[1, log(2), 3], [4, 5, 6]]}",
        Values(((e(1), e("log(2)"), e(3)), (e(4), e(5), e(6)))),
    ),
]


@pytest.mark.parametrize(("text", "distribution"), DISTRIBUTIONS)
def test_a_fill_is_a_distribution(
    toy: str, write: Callable[[str], Path], text: str, distribution: Distribution
) -> None:
    """Each way to make a tensor, in its short and its long form."""
    spec = toy.replace(FIRST, FIRST[:-1] + f", inputs: {{x: {text}}}}}")
    assert load(write(spec)).cases[0].fills["x"].distribution == distribution


SET = "set: [{at: {batch: -1, width: 0}, value: 1 / width}]"
COPY = "copy: {to: {batch: 0}, from: {batch: 1}}"
ALIGN = "align: {along: y, one_of: batch, amount: 8}"
SET_EDIT = SetEdit({"batch": -1, "width": 0}, e("1 / width"))
COPY_EDIT = CopyEdit({"batch": 0}, {"batch": 1}, "x")
ALIGN_EDIT = AlignEdit("y", "batch", e(8))
EDITS: list[tuple[str, tuple[Edit, ...]]] = [
    ("set: {at: {batch: 1}, value: 0}", (SetEdit({"batch": 1}, e(0)),)),
    ("set: {value: 0}", (SetEdit({}, e(0)),)),
    ("copy: [{to: {batch: 0}, from: {}, of: y}]", (CopyEdit({"batch": 0}, {}, "y"),)),
    (f"{ALIGN}, {COPY}, {SET}", (SET_EDIT, COPY_EDIT, ALIGN_EDIT)),
]


@pytest.mark.parametrize(("text", "edits"), EDITS)
def test_edits_come_in_a_fixed_order(
    toy: str, write: Callable[[str], Path], text: str, edits: tuple[Edit, ...]
) -> None:
    """Set, copy, align; one edit or a list of them."""
    spec = toy.replace(FIRST, FIRST[:-1] + f", inputs: {{x: {{normal: {{}}, {text}}}}}}}")
    assert load(write(spec)).cases[0].fills["x"].edits == edits


def test_a_case_has_all_its_settings(toy: str, write: Callable[[str], Path]) -> None:
    """What a case says of layout, gradients, calls, tolerance and values reaches the model."""
    settings = (
        "kind: edge, dtype: float64, devices: [cpu], layout: {x: {expanded: batch}, y: strided}, "
        "gradients: [x], previous_calls: [{batch: 1, width: 0}], repeats: 3, "
        "tolerance: {atol: 0, rtol: 1e-3}, expected: {total: [1, sqrt(2)]}"
    )
    case = load(write(toy.replace(FIRST, f"{FIRST[:-1]}, {settings}}}"))).cases[0]
    assert (case.kind, case.dtype, case.devices) == ("edge", "float64", ("cpu",))
    assert case.layouts == {"x": Layout("expanded", "batch"), "y": Layout("strided")}
    assert (case.gradients, case.repeats) == (("x",), 3)
    assert case.previous_calls == ({"batch": 1, "width": 0},)
    assert case.tolerance == Tolerance(0.0, 1e-3)
    assert case.expected == {"total": Values((e(1), e("sqrt(2)")))}


def test_the_one_value_of_an_output_without_axes_is_a_tuple_of_one(
    toy: str, write: Callable[[str], Path]
) -> None:
    """`Values` is a tuple, also for a number."""
    spec = toy.replace("{shape: [batch], scale", "{shape: [], scale")
    case = load(write(spec.replace(FIRST, FIRST[:-1] + ", expected: {total: 3}}"))).cases[0]
    assert case.expected == {"total": Values((e(3),))}


def test_a_case_on_meta_is_read(toy: str, write: Callable[[str], Path]) -> None:
    """Such a case runs for devices alone."""
    spec = toy.replace(FIRST, FIRST[:-1] + ", device: meta}")
    assert load(write(spec)).cases[0].device == "meta"


def test_traps_keep_how_they_are_recognised(problem: Problem) -> None:
    """One `when` is a list of one."""
    assert list(problem.traps) == ["wrong_axis", "wrong_type"]
    assert problem.traps["wrong_axis"].recognised_by == ()
    assert problem.traps["wrong_type"].recognised_by == (Recognition("type", "tuple"),)


def test_a_trap_may_name_an_input_where_the_check_is_about_inputs(
    toy: str, write: Callable[[str], Path]
) -> None:
    """A changed input is found under its own name; dtypes are any torch dtype."""
    when = "when: [{check: mutation, output: x}, {check: dtype, kind: int8, cases: [second]}]"
    spec = toy.replace("when: {check: type, kind: tuple}", when)
    assert load(write(spec)).traps["wrong_type"].recognised_by == (
        Recognition("mutation", None, "x"),
        Recognition("dtype", "int8", None, ("second",)),
    )


def test_a_trap_may_be_one_only_when_nothing_else_is_wrong(
    toy: str, write: Callable[[str], Path]
) -> None:
    """`alone` is for findings that other mistakes bring about too."""
    spec = toy.replace("when: {check: type, kind: tuple}", "when: {check: type, alone: true}")
    seen = load(write(spec)).traps["wrong_type"].recognised_by
    assert seen == (Recognition("type", alone=True),)


def test_a_trap_may_tell_its_effect_and_its_formula(
    toy: str, write: Callable[[str], Path], problem: Problem
) -> None:
    """Both are optional; blanks around a folded text are not kept."""
    assert (problem.traps["wrong_axis"].effect, problem.traps["wrong_axis"].formula) == ("", "")
    more = 'hint: Which axis?, effect: "All is wrong.\\n", formula: $s_i = x_i$ for each $i$}'
    trap = load(write(toy.replace("hint: Which axis?}", more))).traps["wrong_axis"]
    assert (trap.effect, trap.formula) == ("All is wrong.", "$s_i = x_i$ for each $i$")


def test_stages_have_texts(toy: str, write: Callable[[str], Path], problem: Problem) -> None:
    """In the order of the file; the formula is optional, and so are all of them."""
    assert problem.stages == {}
    stages = "stages: {sum: {title: Add, formula: $s$}, fold: {title: Fold}}\ntraps:"
    other = "  folded: {stage: fold, title: Folded, why: No., hint: Which?}\n"
    made = load(write(toy.replace("traps:", stages) + other))
    assert list(made.stages.items()) == [
        ("sum", StageText("Add", "$s$")),
        ("fold", StageText("Fold")),
    ]


def test_a_problem_may_have_no_public_case(toy: str, write: Callable[[str], Path]) -> None:
    """Then learners have their statement alone."""
    spec = toy.replace("visibility: public", "visibility: hidden, hint: Look")
    assert {case.visibility for case in load(write(spec)).cases} == {"hidden"}


def test_the_files_are_found(problem: Problem, tmp_path: Path) -> None:
    """The reference is where it is by default, with a whole path."""
    assert problem.reference == (tmp_path / "solutions" / "toy.py").resolve()
    assert problem.statement.read_text() == "# Toy\n"
    assert problem.starter.is_file()


def test_the_hash_depends_on_every_file(toy: str, write: Callable[[str], Path]) -> None:
    """Any change of a file, of a name, or of the reference shows; caches do not."""
    folder = write(toy)
    hashes = [load(folder).hash]
    for change in ("statement.md", "starter.py", "stages.py", "../../solutions/toy.py"):
        with (folder / change).open("a") as file:
            file.write("\n")
        hashes.append(load(folder).hash)
    (folder / "stages.py").rename(folder / "support.py")
    hashes.append(load(folder).hash)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "stages.pyc").write_bytes(b"x")
    (folder / ".cache").write_bytes(b"x")
    assert len(set(hashes)) == 6
    assert load(folder).hash == hashes[-1]
    assert all(len(value) == 16 and set(value) <= set("0123456789abcdef") for value in hashes)


def test_a_problem_can_be_sent_to_another_process(problem: Problem) -> None:
    """It pickles, as a pool of workers needs, and is equal afterwards."""
    assert pickle.loads(pickle.dumps(problem)) == problem


def test_a_message_is_one_line(toy: str, write: Callable[[str], Path]) -> None:
    """Also where it quotes a text of several."""
    folder = write(toy.replace("dims:", "dims: |\n      a\n      b\n    unknown:", 1))
    with pytest.raises(ProblemInvalid) as caught:
        load(folder)
    assert all("\n" not in error.message + error.help for error in caught.value.errors)
    broken = SpecError(Path("x"), 1, 1, "a\nb", "c\n d")
    assert (broken.message, broken.help) == ("a b", "c d")
