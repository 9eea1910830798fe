"""Expressions: what they mean, and that nothing but arithmetic gets through."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.problem.expressions import Expression, ExpressionError, parse

DIMS = {"layers": 3, "width": 7, "eps": 0.5}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("1e-5", 1e-5),
        (".5", 0.5),
        ("5.", 5),
        ("layers", 3),
        ("layers + 1", 4),
        ("2 / sqrt(width)", 2 / math.sqrt(7)),
        ("1 + ceil(layers / 2)", 3),
        ("width // 2 % 2", 1),
        ("-layers ** 2", -9),
        ("2 ** -1", 0.5),
        ("floor(-eps)", -1),
        ("min(layers, width, 2)", 2),
        ("max(layers, 2)", 3),
        ("log(2)", math.log(2)),
        ("inf", math.inf),
        ("-inf", -math.inf),
        ("  ( layers )  ", 3),
        (3, 3),
        (-2.5, -2.5),
        (-math.inf, -math.inf),
    ],
)
def test_an_expression_has_its_value(text: object, value: float) -> None:
    """Python's own precedence, in floats."""
    assert parse(text).evaluate(DIMS) == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must not be empty"),
        ("  ", "must not be empty"),
        ("width +", "not a complete expression"),
        ("(width", "not a complete expression"),
        ("width 2", "not a complete expression"),
        ("007", "not a complete expression"),
        ("1or 2", "is not an expression of"),
        ("a if b else c", "is not an expression of"),
        ("width.real", "is not an expression of"),
        ("width[0]", "is not an expression of"),
        ("'text'", "is not an expression of"),
        ("not width", "is not an expression of"),
        ("+width", "is not an expression of"),
        ("True", "is not an expression of"),
        ("(1, 2)", "is not an expression of"),
        ("lambda", "not a complete expression"),
        ("é", "is not an expression of"),
        ("1j", "is not an expression of"),
        ("0x1F", "is not an expression of"),
        ("1_000", "is not an expression of"),
        ("a\x00b", "is not an expression of"),
        ("width := 2", "is not an expression of"),
        ("sqrt", "is a function, and needs parentheses"),
        ("sqrt(1, 2)", "wrong number of arguments"),
        ("max(layers)", "wrong number of arguments"),
        ("max(*width, 1)", "is not an expression of"),
        ("exec(1)", "calls something that is not"),
        ("sqrt(2)(3)", "calls something that is not"),
        ("1e999", "is too large"),
        ("x" * 201, "at most 200 characters"),
        ("-" * 40 + "x", "nested deeper"),
        (True, "must be a number or an expression"),
        (None, "must be a number or an expression"),
        ([1], "must be a number or an expression"),
        (math.nan, "must not be nan"),
        (10**400, "too large a number"),
    ],
)
def test_what_is_not_arithmetic_is_refused(text: object, says: str) -> None:
    """Each refusal is a sentence, and never another exception."""
    with pytest.raises(ExpressionError, match=says.replace("(", r"\(")):
        parse(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("depth", 'needs a size for "depth"'),
        ("1 / (layers - 3)", "divides by zero"),
        ("layers // 0", "divides by zero"),
        ("layers % 0", "divides by zero"),
        ("0 ** -1", "divides by zero"),
        ("9 ** 9 ** 9", "is too large"),
        ("1e200 * 1e200", "is too large"),
        ("inf - 1", "is too large"),
        ("inf - inf", "no real value"),
        ("inf * 0", "no real value"),
        ("sqrt(-1)", "no real value"),
        ("log(0)", "no real value"),
        ("(-8) ** 0.5", "no real value"),
        ("ceil(inf)", "is too large"),
    ],
)
def test_a_value_that_does_not_exist_is_refused(text: str, says: str) -> None:
    """Zero divisors, overflows, roots of negative numbers: an ExpressionError with the text."""
    with pytest.raises(ExpressionError, match=says) as caught:
        parse(text).evaluate(DIMS)
    assert f'"{text}"' in str(caught.value)


@pytest.mark.parametrize("text", ["layers / 2", "inf", "1e30"])
def test_a_size_must_be_whole(text: str) -> None:
    """Half a layer is no size, nor is more than a float can count."""
    with pytest.raises(ExpressionError, match="not a whole number"):
        parse(text).evaluate_int(DIMS)


def test_a_size_is_an_int() -> None:
    """Torch takes no float as a size."""
    size = parse("layers + 1").evaluate_int(DIMS)
    assert (size, type(size)) == (4, int)


def test_the_names_are_the_dims_it_needs() -> None:
    """Functions and `inf` are no dims."""
    assert parse("max(layers, inf) + sqrt(width)").names == {"layers", "width"}


def test_expressions_are_equal_when_their_texts_are() -> None:
    """As keys and in tests of equality, an expression is what is written."""
    assert {parse("layers + 1"), parse(" layers + 1 ")} == {parse("layers + 1")}
    assert parse("layers + 1") != parse("1 + layers")
    assert parse(1e-6).text == "1e-06"


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="0123456789.e+-*/%(), abwidth\n\t_", max_size=60))
def test_any_text_is_an_expression_or_refused(text: str) -> None:
    """No text raises anything else, and what is parsed has a float or no value."""
    try:
        expression = parse(text)
        value = expression.evaluate({"width": 7, "a": 2, "b": 0.5})
    except ExpressionError:
        return
    assert isinstance(expression, Expression)
    assert isinstance(value, float)
    assert not math.isnan(value)
