"""Mutants of a reference: the same file with one small mistake in it, of every kind that fits.

A mutant's id is made of its operator and of what it changes in the normal form of the file, so that
it survives other changes of the file, of its layout and of its comments.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from grader.audit.mutators import OPERATORS
from grader.audit.patches import Text
from grader.audit.scopes import Variable, computed, variables
from grader.audit.sites import Site

ID_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Mutation:
    """One mutant. `line` is the changed one, in the reference; `diff` is unified, without names."""

    id: str
    operator: str
    line: int
    diff: str
    source: str


def mutations(source: str) -> tuple[Mutation, ...]:
    """All mutants of a source, in the order of its lines, no two of them the same program.

    Raises SyntaxError.
    """
    text = Text(source)
    normal = ast.unparse(text.tree)
    seen, ids, found = {normal}, Counter[str](), []
    for function, site in _sites(text):
        for change in (change for operator in OPERATORS for change in operator(site)):
            mutated = text.apply(change)
            form = normal if mutated is None else ast.unparse(ast.parse(mutated))
            if mutated is None or form in seen:
                continue
            seen.add(form)
            id = _id(change.operator, function, normal, form)
            ids[id] += 1
            id = id if ids[id] == 1 else f"{id}-{ids[id]}"
            line, diff = _diff(source, mutated)
            found.append(Mutation(id, change.operator, line, diff, mutated))
    return tuple(sorted(found, key=lambda mutation: mutation.line))


def _id(operator: str, function: str, normal: str, form: str) -> str:
    """The operator and a hash of the lines that differ in the normal form, by their function.

    Not of their place: a line above that is new changes nothing.
    """
    before, after = normal.splitlines(), form.splitlines()
    while before and after and before[0] == after[0]:
        del before[0], after[0]
    while before and after and before[-1] == after[-1]:
        del before[-1], after[-1]
    parts = [function, *before, "->", *after]
    digest = hashlib.sha256("\n".join(part.strip() for part in parts).encode())
    return f"{operator}-{digest.hexdigest()[:ID_DIGITS]}"


def _diff(source: str, mutated: str) -> tuple[int, str]:
    """The first line that differs, and the unified diff without the names of files."""
    before, after = _lines(source), _lines(mutated)
    line = next(n for n, (old, new) in enumerate(zip_longest(before, after), 1) if old != new)
    diff = difflib.unified_diff(before, after, n=0, lineterm="")
    return line, "\n".join(list(diff)[2:])


def _lines(source: str) -> list[str]:
    """The lines as the parser counts them: a form feed, say, ends none."""
    return re.split(r"\r\n?|\n", source)


def _sites(text: Text) -> Iterator[tuple[str, Site]]:
    """Every node that can be changed, in order, with the name of the function it is in."""
    modules = frozenset(
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(text.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    )
    walk = _Walk(text, modules)
    for child in text.tree.body:
        yield from walk.sites(child, text.tree, "", variables(text, text.tree))


@dataclass(frozen=True, slots=True)
class _Walk:
    """Goes through the tree, and leaves out what is not computed: imports, docstrings, annotations,
    texts of errors, and the parts of f-strings, whose places Python does not always know."""

    text: Text
    modules: frozenset[str]

    def sites(
        self, node: ast.AST, parent: ast.AST, function: str, names: Mapping[str, Variable]
    ) -> Iterator[tuple[str, Site]]:
        if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr) or _is_docstring(node):
            return
        if isinstance(node, ast.expr | ast.stmt | ast.comprehension):
            start = 0 if isinstance(node, ast.comprehension) else self.text.span(node)[0]
            kinds = {name: each.kind for name, each in names.items() if each.since <= start}
            yield function, Site(self.text, node, parent, kinds, self.modules)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            function = f"{function}.{node.name}".lstrip(".")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            names = {**names, **variables(self.text, node)}
        for child in computed(node):
            yield from self.sites(child, node, function, names)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
