"""The kinds of small mistakes: what each can make of one node of a syntax tree.

An operator is a function of a `Site` that yields the changes it would make there, each by itself.
Where two operators make the same change, the first in `OPERATORS` gives it its name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import torch

from grader.audit.patches import Change, Text
from grader.audit.scopes import called
from grader.audit.siblings import BINARY, COMMUTATIVE, COMPARISONS, SHORT_FORMS, SIBLINGS
from grader.audit.sites import Site, integer, number

Operator = Callable[[Site], Iterator[Change]]

MAX_PAIRED = 3
"""In longer lists than this only neighbours are exchanged."""


def axis(site: Site) -> Iterator[Change]:
    """Another axis, where an axis is given as a number.

    Counted from the same end, or the outermost of the other: -1 and 2 are often the same axis.
    """
    value = integer(site.node)
    if value is not None and site.is_axis:
        same_end = (0, 1, 2, value + 1) if value >= 0 else (-1, -2, -3)
        other_end = {0: (-1,), -1: (0,)}.get(value, ())
        yield from _each(site, "axis", [str(n) for n in _others(value, same_end + other_end)])


def off_by_one(site: Site) -> Iterator[Change]:
    """Slices, indices and ranges that begin or end one too early or too late."""
    node, text = site.node, site.text
    if isinstance(node, ast.Slice):
        yield from _slice(text, node)
    elif isinstance(node, ast.Subscript):
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for index in indices:
            if not isinstance(index, ast.Slice | ast.Constant | ast.Starred):
                yield from _shifted(text, index)
    elif isinstance(node, ast.Call) and called(node) == "range":
        for argument in node.args:
            yield from _shifted(text, argument)


def constant(site: Site) -> Iterator[Change]:
    """Another number, or the other truth value."""
    node = site.node
    if site.is_axis:
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield from _each(site, "constant", [str(not node.value)])
        return
    value = number(node)
    if value is None or (isinstance(site.parent, ast.UnaryOp) and number(site.parent) is not None):
        return
    if isinstance(value, int):
        others: tuple[float, ...] = (0, 1, -1, value + 1, value - 1, 2 * value, -value)
    else:
        scaled = (float(f"{factor * value:.15g}") for factor in (2, 0.5, 10, 0.1))
        others = (0.0, 1.0, -value, *scaled)
    yield from _each(site, "constant", [repr(n) for n in _others(value, others)])


def arithmetic(site: Site) -> Iterator[Change]:
    """Another sign of arithmetic."""
    node = site.node
    if isinstance(node, ast.BinOp):
        old, others = BINARY[type(node.op)]
        for new in others:
            yield from _some(site.text.token("arithmetic", node.left, node.right, old, new))
    elif isinstance(node, ast.AugAssign):
        old, others = BINARY[type(node.op)]
        for new in (*(f"{other}=" for other in others), "="):
            change = site.text.token("arithmetic", node.target, node.value, f"{old}=", new)
            yield from _some(change)


def comparison(site: Site) -> Iterator[Change]:
    """Another sign of comparison."""
    if isinstance(site.node, ast.Compare):
        operands = [site.node.left, *site.node.comparators]
        for before, sign, after in zip(operands, site.node.ops, operands[1:], strict=False):
            old, others = COMPARISONS[type(sign)]
            for new in others:
                yield from _some(site.text.token("comparison", before, after, old, new))


def boolean(site: Site) -> Iterator[Change]:
    """`and` for `or`, and one of the two left out."""
    node, text = site.node, site.text
    if not isinstance(node, ast.BoolOp):
        return
    old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    for before, after in zip(node.values, node.values[1:], strict=False):
        yield from _some(text.token("boolean", before, after, old, new))
    if len(node.values) == 2:
        for value in node.values:
            yield text.put("boolean", node, text.of(value))


def condition(site: Site) -> Iterator[Change]:
    """The opposite condition."""
    for test in _tests(site.node):
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            yield site.text.put("condition", test, site.text.of(test.operand))
        else:
            yield site.text.put("condition", test, b"not " + site.text.atom(test))


def negation(site: Site) -> Iterator[Change]:
    """A minus too many or too few; of a number, see `constant`."""
    node, text = site.node, site.text
    if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not) and number(node) is None:
        yield text.put("negation", node, text.of(node.operand))
    elif site.is_a("value", "number"):
        yield text.put("negation", node, b"-" + text.atom(node))


def dropped_term(site: Site) -> Iterator[Change]:
    """Of a sum or a product, one of the two."""
    node = site.node
    if isinstance(node, ast.BinOp):
        for side in (node.left, node.right):
            yield site.text.put("dropped_term", node, site.text.of(side))


def swapped(site: Site) -> Iterator[Change]:
    """Operands, arguments, elements of a list or values of a dict exchanged."""
    node = site.node
    match node:
        case ast.BinOp() if not isinstance(node.op, COMMUTATIVE) or _is_joined(node):
            yield site.text.swap("swapped_operands", node.left, node.right)
        case ast.Call():
            yield from _swapped(site.text, "swapped_arguments", node.args)
        case ast.List() | ast.Tuple():
            yield from _swapped(site.text, "swapped_elements", node.elts)
        case ast.Dict():
            yield from _swapped(site.text, "swapped_elements", node.values)
        case _:
            pass


def dropped_element(site: Site) -> Iterator[Change]:
    """One element of a list, a tuple or a dict left out."""
    node, text = site.node, site.text
    if isinstance(node, ast.List | ast.Tuple) and isinstance(node.ctx, ast.Load):
        yield from text.drop_each("dropped_element", [text.span(each) for each in node.elts])
    elif isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        spans = [(text.span(key or value)[0], text.span(value)[1]) for key, value in pairs]
        yield from text.drop_each("dropped_element", spans if None not in node.keys else [])


def removed_call(site: Site) -> Iterator[Change]:
    """`f(x)` becomes `x`, and `x.f()` too."""
    node, text = site.node, site.text
    if isinstance(node, ast.Attribute) and node.attr in SHORT_FORMS:
        yield text.put("removed_call", node, text.of(node.value))
    if not isinstance(node, ast.Call):
        return
    if isinstance(node.func, ast.Attribute) and not site.is_of_module(node.func):
        yield text.put("removed_call", node, text.of(node.func.value))
    else:
        for argument in node.args[:MAX_PAIRED]:
            if not isinstance(argument, ast.Starred):
                yield text.put("removed_call", node, text.of(argument))


def dropped_argument(site: Site) -> Iterator[Change]:
    """An argument left to its default."""
    node = site.node
    if not isinstance(node, ast.Call):
        return
    arguments = [*node.args, *node.keywords]
    if any(isinstance(each, ast.Starred) for each in node.args):
        return
    is_method = isinstance(node.func, ast.Attribute) and not site.is_of_module(node.func)
    if len(arguments) > 1 or is_method or node.keywords:
        spans = [site.text.span(each) for each in arguments]
        yield from site.text.drop_each("dropped_argument", spans)


def sibling(site: Site) -> Iterator[Change]:
    """A function or a dtype in the place of a related one."""
    node, text = site.node, site.text
    if isinstance(node, ast.Attribute):
        stem = text.of(node)[: -len(node.attr.encode())]
        for other in SIBLINGS.get(node.attr, ()):
            yield text.put("sibling", node, stem + other.encode())
    elif isinstance(node, ast.Name) and site.is_callee:
        yield from _each(site, "sibling", SIBLINGS.get(node.id, ()))


def in_place(site: Site) -> Iterator[Change]:
    """The form of a call that changes its tensor, where a variable holds that tensor."""
    match site.node:
        case ast.Call(func=ast.Attribute() as function, args=arguments):
            is_method = not site.is_of_module(function)
            changed = [function.value] if is_method else arguments[:1]
            known = hasattr(torch.Tensor if is_method else torch, f"{function.attr}_")
            if known and any(isinstance(each, ast.Name) for each in changed):
                yield site.text.put("in_place", function, site.text.of(function) + b"_")


def exchanged_name(site: Site) -> Iterator[Change]:
    """Another variable of the same kind."""
    node = site.node
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or site.is_callee:
        return
    kind = site.names.get(node.id)
    if kind is not None:
        others = [name for name, its in site.names.items() if its == kind and name != node.id]
        yield from _each(site, "exchanged_name", others)


def string(site: Site) -> Iterator[Change]:
    """A key or a text with its last letter missing; of an einsum, the axes of the result turned."""
    node = site.node
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or not node.value:
        return
    others = [node.value[:-1]]
    inputs, arrow, result = node.value.partition("->")
    if arrow:
        others.append(f"{inputs}->{result.strip()[::-1]}")
    quote = site.text.of(node)[:1].decode()
    for other in others:
        plain = quote in "\"'" and other.isprintable() and not {quote, "\\"} & set(other)
        yield site.text.put("string", node, f"{quote}{other}{quote}" if plain else repr(other))


def detached(site: Site) -> Iterator[Change]:
    """Cut off from autograd."""
    yield from _followed(site, "detached", b".detach()")


def narrowed(site: Site) -> Iterator[Change]:
    """Computed in single precision."""
    yield from _followed(site, "narrowed", b".float()")


def removed_statement(site: Site) -> Iterator[Change]:
    """Nothing in the place of a statement."""
    node = site.node
    kept = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Pass)
    if not isinstance(node, ast.stmt) or isinstance(node, kept):
        return
    if not isinstance(node, ast.AnnAssign) or node.value is not None:
        yield site.text.put("removed_statement", node, "pass")


OPERATORS: tuple[Operator, ...] = (
    axis,
    off_by_one,
    constant,
    arithmetic,
    comparison,
    boolean,
    condition,
    negation,
    dropped_term,
    swapped,
    dropped_element,
    removed_call,
    dropped_argument,
    sibling,
    in_place,
    exchanged_name,
    string,
    detached,
    narrowed,
    removed_statement,
)


def _each(site: Site, operator: str, texts: Sequence[str]) -> Iterator[Change]:
    for text in texts:
        yield site.text.put(operator, site.node, text)


def _some(change: Change | None) -> Iterator[Change]:
    if change is not None:
        yield change


def _followed(site: Site, operator: str, call: bytes) -> Iterator[Change]:
    """One more method called of a value."""
    if site.is_a("value"):
        yield site.text.put(operator, site.node, site.text.atom(site.node) + call)
    if site.receiver is not None:
        yield site.text.put(operator, site.receiver, site.text.of(site.receiver) + call)


def _others(value: float, candidates: Sequence[float]) -> list[float]:
    """Each candidate once, and not the value itself (-0 is 0)."""
    return [n + 0 for n in dict.fromkeys(candidates) if n != value]


def _is_joined(node: ast.BinOp) -> bool:
    """Whether lists are put one behind the other: `[x] + rest`."""
    return any(isinstance(side, ast.List | ast.Tuple) for side in (node.left, node.right))


def _tests(node: ast.AST) -> Sequence[ast.expr]:
    match node:
        case ast.If() | ast.While() | ast.IfExp():
            return [node.test]
        case ast.comprehension():
            return node.ifs
    return []


def _slice(text: Text, node: ast.Slice) -> Iterator[Change]:
    start, _ = text.span(node)
    shown = text.of(node)
    head = text.span(node.lower)[1] - start if node.lower else 0
    colon = shown.index(b":", head) + 1
    lower, rest = shown[: colon - 1], shown[colon:]
    if node.lower is None:
        yield text.put("off_by_one", node, b"1:" + rest)
    else:
        yield from _shifted(text, node.lower)
        yield text.put("off_by_one", node, b":" + rest)
    if node.upper is None:
        yield text.put("off_by_one", node, lower + b":-1" + rest)
    else:
        yield from _shifted(text, node.upper)
        after = shown[text.span(node.upper)[1] - start :]
        yield text.put("off_by_one", node, lower + b":" + after)


def _shifted(text: Text, node: ast.AST) -> Iterator[Change]:
    """One more, and one less."""
    value = integer(node)
    if value is not None:
        for other in (value + 1, value - 1):
            yield text.put("off_by_one", node, str(other))
    else:
        for sign in (b" + 1", b" - 1"):
            yield text.put("off_by_one", node, text.of(node) + sign)


def _swapped(text: Text, operator: str, items: Sequence[ast.expr]) -> Iterator[Change]:
    for one, other in combinations(range(len(items)), 2):
        if other == one + 1 or len(items) <= MAX_PAIRED:
            yield text.swap(operator, items[one], items[other])
