"""Numbers as a spec writes them: `7`, `layers + 1`, `2 / sqrt(width)`. Arithmetic, nothing else.

An expression is parsed once and evaluated for the sizes of a case. Python's `ast` reads it; only
the nodes of the grammar below are accepted, so no attribute, index, string or other call can
occur. Everything is computed in floats, so no power can grow without bound.

Grammar: numbers, `inf`, names, `+ - * / // % **`, unary minus, parentheses, and calls of `sqrt`,
`ceil`, `floor`, `min`, `max`, `log`.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from grader.problem.errors import quoted

MAX_LENGTH = 200
MAX_DEPTH = 32
MAX_WHOLE = 2**53
"""Above this a float no longer holds every whole number."""

# Each alternative is atomic: a text that fails does so at once, whatever its length.
_TOKENS = re.compile(
    r"(?>\s|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?(?![\w.])|[A-Za-z_]\w*|//|\*\*|[-+*/%(),])*+",
    re.ASCII,
)
_ALLOWED = "numbers, names, + - * / // % **, parentheses, sqrt ceil floor min max log"

_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "ceil": math.ceil,
    "floor": math.floor,
    "log": math.log,
    "min": min,
    "max": max,
}
_MANY_ARGUMENTS = ("min", "max")


class ExpressionError(ValueError):
    """The text is not an expression, or it has no finite value for these sizes."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression. `names` are the dims it needs. Equal when the texts are equal."""

    text: str
    names: frozenset[str] = field(compare=False)
    _tree: ast.expr = field(compare=False, repr=False)

    def evaluate(self, dims: Mapping[str, int | float]) -> float:
        """Return the value; only a literal `inf` or `-inf` is not finite.

        Raises ExpressionError for a missing name, a division by zero, an overflow, a root or a
        logarithm of what has none.
        """
        try:
            return _value(self._tree, dims)
        except KeyError as error:
            raise ExpressionError(f'"{self.text}" needs a size for "{error.args[0]}"') from None
        except ZeroDivisionError:
            raise ExpressionError(f'"{self.text}" divides by zero') from None
        except OverflowError:
            raise ExpressionError(f'"{self.text}" is too large') from None
        except ValueError:
            raise ExpressionError(f'"{self.text}" has no real value') from None

    def evaluate_int(self, dims: Mapping[str, int | float]) -> int:
        """Return the value as a whole number, or raise ExpressionError when it is not one."""
        value = self.evaluate(dims)
        if not value.is_integer() or abs(value) > MAX_WHOLE:
            raise ExpressionError(f'"{self.text}" is {value:g}, not a whole number')
        return int(value)


def parse(source: object) -> Expression:
    """Return the expression written as a text or a plain number.

    Raises ExpressionError: a sentence that quotes the text, or what is wrong with it ("must ...").
    """
    if isinstance(source, bool) or not isinstance(source, int | float | str):
        raise ExpressionError("must be a number or an expression")
    if not isinstance(source, str):
        return _number(source)
    text = source.strip()
    if not text:
        raise ExpressionError("must not be empty")
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"must have at most {MAX_LENGTH} characters, not {len(text)}")
    tree = _tree_of(text)
    _check(tree, text, MAX_DEPTH)
    return Expression(text, frozenset(_names(tree)), tree)


def _number(value: int | float) -> Expression:
    try:
        number = float(value)
    except OverflowError:
        raise ExpressionError("is too large a number") from None
    if math.isnan(number):
        raise ExpressionError("must not be nan")
    if math.isinf(number):
        return parse("inf" if number > 0 else "-inf")
    return Expression(repr(value), frozenset(), ast.Constant(number))


def _tree_of(text: str) -> ast.expr:
    if not _TOKENS.fullmatch(text):
        raise ExpressionError(f"{quoted(text)} is not an expression of {_ALLOWED}")
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        raise ExpressionError(f'"{text}" is not a complete expression') from None


def _check(node: ast.expr, text: str, depth: int) -> None:
    """Raise ExpressionError unless every node is of the grammar and none lies too deep."""
    if depth == 0:
        raise ExpressionError(f'"{text}" is nested deeper than {MAX_DEPTH}')
    if isinstance(node, ast.Name) and node.id in _FUNCTIONS:
        raise ExpressionError(f'"{node.id}" in "{text}" is a function, and needs parentheses')
    if isinstance(node, ast.Call):
        _check_call(node, text)
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        if math.isinf(node.value):  # type: ignore[arg-type]  # the line above says it is a number
            raise ExpressionError(f'"{text}" is too large')
    elif not _is_arithmetic(node):
        raise ExpressionError(f"{quoted(text)} is not an expression of {_ALLOWED}")
    for child in _children(node):
        _check(child, text, depth - 1)


def _check_call(node: ast.Call, text: str) -> None:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in _FUNCTIONS:
        raise ExpressionError(f'"{text}" calls something that is not sqrt ceil floor min max log')
    enough = len(node.args) >= 2 if name in _MANY_ARGUMENTS else len(node.args) == 1
    if not enough:
        raise ExpressionError(f'"{name}" in "{text}" has the wrong number of arguments')


def _is_arithmetic(node: ast.expr) -> bool:
    match node:
        case ast.Name():
            return True
        case ast.UnaryOp(op=ast.USub()):
            return True
        case ast.BinOp(op=op):
            return type(op) in _OPERATORS
    return False


def _children(node: ast.expr) -> tuple[ast.expr, ...]:
    match node:
        case ast.UnaryOp(operand=operand):
            return (operand,)
        case ast.BinOp(left=left, right=right):
            return (left, right)
        case ast.Call(args=arguments):
            return tuple(arguments)
    return ()


def _names(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Name) and node.id != "inf":
        yield node.id
    for child in _children(node):
        yield from _names(child)


def _value(node: ast.expr, dims: Mapping[str, int | float]) -> float:
    match node:
        case ast.Constant(value=value):
            return float(value)  # type: ignore[arg-type]  # _check let only numbers through
        case ast.Name(id=name):
            return math.inf if name == "inf" else float(dims[name])
        case ast.UnaryOp(operand=operand):
            return -_value(operand, dims)
        case ast.BinOp(left=left, op=op, right=right):
            return _finite(_OPERATORS[type(op)](_value(left, dims), _value(right, dims)))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _finite(_FUNCTIONS[name](*(_value(argument, dims) for argument in arguments)))
    raise AssertionError(f"unchecked node {node!r}")


def _finite(value: float | complex) -> float:
    """Return a result as a float; (-8) ** 0.5 is complex in Python, and inf - inf is nan."""
    if isinstance(value, complex) or math.isnan(value):
        raise ValueError
    if math.isinf(value):
        raise OverflowError
    return float(value)
