"""A place in a program where a mistake could be made, and what is known about it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from grader.audit.patches import Text
from grader.audit.scopes import Kind, called, kind_of
from grader.audit.siblings import AXIS_CALLS, AXIS_WORDS, METADATA

_VALUES = (ast.Name, ast.Call, ast.BinOp, ast.Attribute, ast.Subscript)
_HOLDERS = (
    *(ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return),
    *(ast.BinOp, ast.List, ast.Tuple, ast.Dict),
)


@dataclass(frozen=True, slots=True)
class Site:
    """A node, what it is a part of, and what can be named there.

    `names` are the variables that have a value there, each with its kind. `modules` are the names
    that imports gave, so that `torch.sqrt(x)` is no method of `torch`.
    """

    text: Text
    node: ast.AST
    parent: ast.AST
    names: Mapping[str, Kind]
    modules: frozenset[str]

    @property
    def is_axis(self) -> bool:
        """Whether a number here says which axis."""
        match self.parent:
            case ast.keyword(arg=word):
                return word in AXIS_WORDS
            case ast.Call() as call:
                return called(call) in AXIS_CALLS and self.node in call.args
        return False

    @property
    def is_callee(self) -> bool:
        """Whether it is what is called."""
        return isinstance(self.parent, ast.Call) and self.parent.func is self.node

    def is_of_module(self, node: ast.Attribute) -> bool:
        """Whether it is `torch.sqrt` or `torch.nn.functional.silu`, and no method."""
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        return isinstance(root, ast.Name) and root.id in self.modules

    def is_a(self, *kinds: Kind) -> bool:
        """Whether a value of these kinds is assigned, returned or handed over here."""
        node, parent = self.node, self.parent
        is_held = isinstance(parent, _HOLDERS) or (
            isinstance(parent, ast.Call) and node in parent.args
        )
        if not is_held or not isinstance(node, _VALUES):
            return False
        if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return False
        if isinstance(node, ast.Attribute) and node.attr in METADATA:
            return False
        return self.kind_of(node) in kinds

    def kind_of(self, node: ast.expr) -> Kind:
        """The kind of a value, of a variable as it was assigned."""
        known = self.names.get(node.id) if isinstance(node, ast.Name) else None
        return known or kind_of(node)

    @property
    def receiver(self) -> ast.Name | None:
        """The variable with a value that a method is called of here."""
        match self.node:
            case ast.Call(func=ast.Attribute(value=ast.Name() as name)):
                if name.id in self.names and self.kind_of(name) == "value":
                    return name
        return None


def number(node: ast.AST) -> int | float | None:
    """The value of a literal, with its sign; None of anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = number(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value  # type: ignore[return-value]  # just looked at
    return None


def integer(node: ast.AST) -> int | None:
    """The value of a whole literal."""
    value = number(node)
    return value if isinstance(value, int) else None
