"""Inputs of a case: complete, repeatable, in the right dtype and layout."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from grader.problem.expressions import parse
from grader.problem.model import (
    AlignEdit,
    Case,
    Constant,
    CopyEdit,
    Distribution,
    DtypeName,
    Fill,
    Input,
    Layout,
    Limits,
    Normal,
    Problem,
    ScalarInput,
    SetEdit,
    TensorInput,
    Uniform,
    Values,
)
from grader.tensors.generate import DTYPES, CaseInputs, InputError, make_inputs

NORMAL = Normal(parse(0), parse(1))
DIMS = {"layers": 3, "batch": 2, "width": 5}


def tensor(name: str, *shape: str, dtype: DtypeName | None = None) -> TensorInput:
    """Return a tensor parameter."""
    return TensorInput(name, tuple(parse(size) for size in shape), dtype)


def problem(*inputs: Input) -> Problem:
    """Return a problem that has these parameters and nothing else."""
    return Problem(
        id="p", title="P", level="easy", tags=(), entry="f", inputs=inputs, outputs=(),
        returns="dict", tolerances={}, limits=Limits(), points=Decimal(1), cases=(), hints=(),
        traps={}, folder=Path(), reference=Path(), hash="",
    )  # fmt: skip


def case(fills: Mapping[str, Fill | Distribution], **changes: Any) -> Case:
    """Return a float32 case of these fills."""
    whole = {name: f if isinstance(f, Fill) else Fill(f) for name, f in fills.items()}
    given = {"name": "c", "visibility": "hidden", "points": Decimal(1), "dims": DIMS}
    return Case(**{**given, "dtype": "float32", "fills": whole, **changes})


RESIDUAL = problem(
    tensor("embedding", "batch", "width"),
    tensor("outputs", "layers", "batch", "width"),
    tensor("query", "width"),
    ScalarInput("eps", 1e-6),
)
FILLS: dict[str, Fill | Distribution] = {
    "embedding": NORMAL,
    "outputs": NORMAL,
    "query": Normal(parse(0), parse("2 / sqrt(width)")),
}


def one(distribution: Fill | Distribution, **changes: Any) -> torch.Tensor:
    """Return the only input of a case: a vector of 5 filled like this."""
    made = make_inputs(problem(tensor("x", "width")), case({"x": distribution}, **changes), 1)
    return made.tensors["x"]


def number(default: float | int | None, value: object) -> float | int:
    """Return the number that a scalar parameter gets."""
    scalar = problem(ScalarInput("n", default))
    return make_inputs(scalar, case({"n": Constant(parse(value))}), 1).scalars["n"]


def same(first: CaseInputs, second: CaseInputs) -> bool:
    """Return whether every tensor of two calls is the same."""
    return all(torch.equal(first.tensors[name], second.tensors[name]) for name in first.tensors)


def test_inputs_come_in_parameter_order_with_their_shapes() -> None:
    """Names, sizes and dtype are the spec's."""
    made = make_inputs(RESIDUAL, case(FILLS), 1)
    shapes = {name: tuple(tensor.shape) for name, tensor in made.tensors.items()}
    assert list(shapes.items()) == [("embedding", (2, 5)), ("outputs", (3, 2, 5)), ("query", (5,))]
    assert {each.dtype for each in made.tensors.values()} == {torch.float32}


@given(st.integers(), st.text(st.characters(exclude_categories=["Cs"])), st.integers(0, 9))
def test_the_same_seed_gives_the_same_inputs(seed: int, name: str, call: int) -> None:
    """Any whole number is a seed, any text a name."""
    this = case(FILLS, name=name)
    first = make_inputs(RESIDUAL, this, seed, call=call)
    assert same(first, make_inputs(RESIDUAL, this, seed, call=call))
    assert not same(first, make_inputs(RESIDUAL, this, seed + 1, call=call))
    assert not same(first, make_inputs(RESIDUAL, this, seed, call=call + 1))


def test_torchs_own_generator_is_neither_read_nor_moved() -> None:
    """A case does not depend on what was drawn before, nor on the default dtype's chance."""
    torch.manual_seed(0)
    before = torch.get_rng_state()
    first = make_inputs(RESIDUAL, case(FILLS), 1)
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(99)
    assert same(first, make_inputs(RESIDUAL, case(FILLS), 1))


def test_every_float_dtype_sees_the_same_numbers() -> None:
    """A half-precision case is the float64 one, rounded."""
    exact = make_inputs(RESIDUAL, case(FILLS, dtype="float64"), 1)
    for dtype in ("float32", "float16", "bfloat16"):
        rounded = make_inputs(RESIDUAL, case(FILLS, dtype=dtype), 1)
        for name, values in exact.tensors.items():
            assert torch.equal(rounded.tensors[name], values.to(DTYPES[dtype]))


def test_an_input_may_have_a_dtype_of_its_own() -> None:
    """Indices stay whole numbers in a half-precision case."""
    these = problem(tensor("x", "width"), tensor("index", "width", dtype="int64"))
    fills: dict[str, Distribution] = {"x": NORMAL, "index": Uniform(parse(0), parse(3))}
    made = make_inputs(these, case(fills, dtype="float16"), 1).tensors
    assert (made["x"].dtype, made["index"].dtype) == (torch.float16, torch.int64)


def test_uniform_integers_are_rounded_down() -> None:
    """[0, 3) gives 0, 1 and 2, and never 3."""
    drawn = one(Uniform(parse(0), parse(3)), dtype="int64", dims={"width": 600})
    counts = drawn.bincount().tolist()
    assert len(counts) == 3
    assert min(counts) > 150


def test_other_integers_are_rounded_to_the_nearest() -> None:
    """Explicit values are what they say."""
    assert one(Values((-2, 0, 1.6, 3, 4)), dtype="int32").tolist() == [-2, 0, 2, 3, 4]


def test_booleans_are_the_nearer_of_zero_and_one() -> None:
    """A uniform draw of [0, 1) is as often true as false."""
    assert one(Values((0, 1, 0.2, 0.7, 1)), dtype="bool").tolist() == [
        False,
        True,
        False,
        True,
        True,
    ]
    drawn = one(Uniform(parse(0), parse(1)), dtype="bool", dims={"width": 600})
    assert 200 < int(drawn.sum()) < 400


@pytest.mark.parametrize(
    ("dtype", "value"), [("float16", 65520), ("int32", 2**31), ("int64", "inf"), ("float32", 1e39)]
)
def test_values_too_large_for_the_dtype_are_refused(dtype: DtypeName, value: float) -> None:
    """They would become infinite, or something else altogether."""
    with pytest.raises(InputError, match=f'case "c", input "x": .* does not fit {dtype}'):
        one(Constant(parse(value)), dtype=dtype)


def test_an_infinity_that_is_asked_for_stays() -> None:
    """A mask of -inf is an input like others."""
    assert one(Constant(parse("-inf")), dtype="float16").isneginf().all()


def test_an_edit_sees_the_other_input_as_it_ends_up() -> None:
    """Outputs are aligned with the query, and copied from the embedding, after their own edits."""
    fills = FILLS | {
        "outputs": Fill(
            Constant(parse(0)),
            (CopyEdit({"layers": 0}, {}, "embedding"), AlignEdit("query", "layers", parse(3))),
        ),
        "embedding": Fill(NORMAL, (SetEdit({}, parse(7)),)),
        "query": Fill(NORMAL, (SetEdit({}, parse(-2)),)),
    }
    outputs = make_inputs(RESIDUAL, case(fills), 1).tensors["outputs"]
    assert set(outputs[0].flatten().tolist()) <= {4.0, 7.0}
    assert set(outputs.sum(0).flatten().tolist()) == {4.0}


def test_layouts_are_those_asked_for() -> None:
    """Each input lies in memory its own way."""
    layouts = {
        "embedding": Layout("expanded", "batch"),
        "outputs": Layout("transposed"),
        "query": Layout("strided"),
    }
    made = make_inputs(RESIDUAL, case(FILLS, layouts=layouts), 1).tensors
    assert made["embedding"].stride() == (0, 1)
    assert made["outputs"].stride() == (1, 3, 6)
    assert made["query"].stride() == (2,)
    plain = make_inputs(RESIDUAL, case(FILLS), 1).tensors
    assert torch.equal(made["outputs"], plain["outputs"])
    assert torch.equal(made["query"], plain["query"])


def test_a_copy_of_an_expanded_input_is_a_copy_of_what_is_given() -> None:
    """Both repeat the first batch entry."""
    fills = FILLS | {"outputs": Fill(NORMAL, (CopyEdit({"layers": 1}, {}, "embedding"),))}
    made = make_inputs(
        RESIDUAL, case(fills, layouts={"embedding": Layout("expanded", "batch")}), 1
    ).tensors
    assert torch.equal(made["outputs"][1], made["embedding"])


def test_other_sizes_can_be_asked_for() -> None:
    """An earlier call has the same fills and sizes of its own."""
    dims = {"layers": 0, "batch": 1, "width": 4}
    made = make_inputs(RESIDUAL, case(FILLS), 1, dims=dims, call=1).tensors
    assert made["outputs"].shape == (0, 1, 4)


def test_meta_inputs_have_everything_but_values() -> None:
    """Shapes, dtypes, layouts and numbers are those of the case."""
    fills = FILLS | {"eps": Constant(parse("1e-2"))}
    layouts = {"outputs": Layout("transposed")}
    bare = make_inputs(RESIDUAL, case(fills, device="meta", layouts=layouts), 1)
    real = make_inputs(RESIDUAL, case(fills, layouts=layouts), 1)
    assert all(each.is_meta for each in bare.tensors.values())
    assert bare.scalars == real.scalars
    for name, values in real.tensors.items():
        other = bare.tensors[name]
        assert (other.shape, other.dtype, other.stride()) == (
            values.shape,
            values.dtype,
            values.stride(),
        )


def test_a_number_left_to_its_default_is_not_given() -> None:
    """The solution's own default is part of what is tested."""
    assert make_inputs(RESIDUAL, case(FILLS), 1).scalars == {}


@pytest.mark.parametrize(
    ("default", "value", "expected"),
    [
        (1e-6, "1e-2", 0.01),
        (1.0, 2, 2.0),
        (4, "width - 2", 3),
        (None, 3, 3),
        (None, 3.0, 3.0),
        (None, "1 / 2", 0.5),
        (None, "layers", 3),
    ],
)
def test_a_number_has_the_kind_of_its_default(
    default: float | int | None, value: object, expected: float | int
) -> None:
    """Without a default, a whole number written without a point is an int."""
    actual = number(default, value)
    assert actual == expected
    assert type(actual) is type(expected)


def test_a_whole_number_must_be_whole() -> None:
    """Half a head is refused, by the name of the parameter."""
    with pytest.raises(InputError, match=r'case "c", input "n": .*whole'):
        number(4, 1.5)


def test_a_number_is_not_drawn() -> None:
    """A distribution is for tensors."""
    with pytest.raises(InputError, match='input "n": a number is given as one number'):
        make_inputs(problem(ScalarInput("n", 1.0)), case({"n": NORMAL}), 1)


def test_errors_name_case_and_input() -> None:
    """The bare fact gets the author's own words."""
    fill = Fill(NORMAL, (SetEdit({"width": 5}, parse(0)),))
    with pytest.raises(InputError) as raised:
        one(fill, name="zero rows")
    assert str(raised.value) == (
        'case "zero rows", input "x": index 5 is outside axis "width" of size 5'
    )


def test_a_size_that_the_case_does_not_give_is_named() -> None:
    """An error of the expressions is one of the case."""
    with pytest.raises(InputError, match='case "c", input "x": '):
        one(NORMAL, dims={})
