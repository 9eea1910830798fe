"""The variables of a function: from where on each has a value, and what kind of value, as it seems.

Only variables of one kind are ever mistaken for each other: two tensors, say, or two sizes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from grader.audit.patches import Text
from grader.audit.siblings import DTYPE_CALLS, DTYPES, SIZE_CALLS

Kind = Literal["value", "number", "dtype"]

_NOT_COMPUTED = frozenset(
    {"annotation", "returns", "decorator_list", "type_params", "exc", "cause", "msg"}
)
_SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


@dataclass(frozen=True, slots=True)
class Variable:
    """`since` is the offset in the file from which on it has a value."""

    since: int
    kind: Kind


def variables(text: Text, scope: ast.AST) -> dict[str, Variable]:
    """The parameters of a function and what it assigns; of a file, what it assigns."""
    found: dict[str, Variable] = {}
    if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        found |= {name: Variable(0, kind) for name, kind in _parameters(scope.args)}
    waiting = [(child, -1, kind_of(None)) for child in computed(scope)]
    while waiting:
        node, since, kind = waiting.pop(0)
        if isinstance(node, _SCOPES):
            continue
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            since, kind = text.span(node)[1], kind_of(node.value)
        elif isinstance(node, ast.For):
            kind = kind_of(node.iter)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, Variable(max(since, text.span(node)[1]), kind))
        inner = [(child, since, kind) for child in ast.iter_child_nodes(node)]
        waiting = [*inner, *waiting]
    return found


def computed(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that are run for a value: no annotations, no texts of errors."""
    for name, value in ast.iter_fields(node):
        if name not in _NOT_COMPUTED:
            children = value if isinstance(value, list) else [value]
            yield from (child for child in children if isinstance(child, ast.AST))


def called(call: ast.Call) -> str:
    """The last part of the name of what is called."""
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def kind_of(value: ast.expr | None) -> Kind:
    """The kind of what is assigned, by its outermost form."""
    match value:
        case ast.Constant(value=int() | float()) | ast.Attribute(attr="shape" | "ndim"):
            return "number"
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return "number"
        case ast.Call() if called(value) in SIZE_CALLS:
            return "number"
        case ast.Attribute(attr=name) if name in DTYPES:
            return "dtype"
        case ast.Call() if called(value) in DTYPE_CALLS:
            return "dtype"
    return "value"


def _parameters(arguments: ast.arguments) -> Iterator[tuple[str, Kind]]:
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [*[None] * (len(plain) - len(arguments.defaults)), *arguments.defaults]
    pairs = [*zip(plain, defaults, strict=True)]
    pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    for parameter, default in pairs:
        annotation = "" if parameter.annotation is None else ast.unparse(parameter.annotation)
        stated: dict[str, Kind] = {"int": "number", "float": "number", "torch.dtype": "dtype"}
        yield parameter.arg, stated.get(annotation) or kind_of(default)
