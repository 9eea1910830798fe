"""The package has one direction: a module may import what is above it in `LAYERS`, never below.

Every import counts, also one inside a function, and one for the type checker alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "grader"
LAYERS = (
    "__init__",
    "results",
    "proof",
    "problem",
    "stages",
    "tensors",
    "sandbox",
    "grading",
    "report",
    "batch",
    "audit",
    "cli",
    "__main__",
    "testing",
    "pytest_plugin",
)
FORBIDDEN = {
    "results": {"torch"},
    "proof": {"torch"},
    "problem": {"torch"},
    "report": {"torch", "grader.tensors", "grader.sandbox", "grader.grading"},
}
"""Beyond the order: what starts at once, or takes a report and gives text, needs no torch."""
A_SOLUTION = "sandbox/probe_solution.py"
"""Run as a learner's file, for `doctor`: it may print what it likes."""
WORDS_OF_A_PROBLEM = ("attention", "embedding", "pseudo_query")

MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    """The module's name relative to the package: "sandbox/line.py"."""
    return path.relative_to(PACKAGE).as_posix()


def layer_of(path: Path) -> str:
    """The package or module at the top that it belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of all that a module imports: "grader.sandbox.line"."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}:{node.lineno}: a relative import"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def rank(module: str) -> int:
    """The place of `grader.x.y` in the order; a name of the package itself is of the lowest."""
    parts = module.split(".")
    return LAYERS.index(parts[1]) if len(parts) > 1 and parts[1] in LAYERS else 0


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_has_a_layer_and_imports_only_what_is_above(path: Path) -> None:
    """The message names the line."""
    layer = layer_of(path)
    assert layer in LAYERS, f"{layer} has no place in the order"
    below = [
        f"{name_of(path)}:{line}: {module}"
        for line, module in imported(path)
        if module.split(".")[0] == "grader" and rank(module) > LAYERS.index(layer)
    ]
    assert below == []


@pytest.mark.parametrize("path", [p for p in MODULES if layer_of(p) in FORBIDDEN], ids=name_of)
def test_light_layers_stay_light(path: Path) -> None:
    """Not even inside a function."""
    forbidden = FORBIDDEN[layer_of(path)]
    found = [
        f"{name_of(path)}:{line}: {module}"
        for line, module in imported(path)
        if any(module == name or module.startswith(f"{name}.") for name in forbidden)
    ]
    assert found == []


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if layer_of(path) != "cli" and name_of(path) != A_SOLUTION],
    ids=name_of,
)
def test_only_the_command_line_prints(path: Path) -> None:
    """No `print`, and nothing written to the standard streams."""
    found = [f"{name_of(path)}:{line}" for line in printing_lines(ast.parse(path.read_bytes()))]
    assert found == []


def printing_lines(tree: ast.AST) -> Iterator[int]:
    """Lines that call `print`, or write to a standard stream."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if called in ("print", "builtins.print") or called.startswith(
            ("sys.stdout.write", "sys.stderr.write", "sys.__stdout__", "sys.__stderr__")
        ):
            yield node.lineno


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("print(1)", [1]),
        ("def f():\n    sys.stdout.write('x')", [2]),
        ("sys.stderr.writelines([])\nsys.stdout.flush()", [1]),
        ("pprint(1)\nx.print()", []),
    ],
)
def test_printing_is_recognised(source: str, lines: list[int]) -> None:
    """And what only looks like it is not."""
    assert list(printing_lines(ast.parse(source))) == lines


def test_the_engine_knows_no_problem() -> None:
    """No file of the package names what one exercise is about."""
    found = [
        f"{path.relative_to(PACKAGE)}: {word}"
        for path in sorted(PACKAGE.rglob("*"))
        if path.is_file() and path.suffix != ".pyc"
        for word in WORDS_OF_A_PROBLEM
        if word.encode() in path.read_bytes().lower()
    ]
    assert found == []


def test_the_order_names_each_layer_once() -> None:
    """A rank must be one number."""
    assert len(set(LAYERS)) == len(LAYERS)
    assert all(rank(f"grader.{a}") < rank(f"grader.{b}") for a, b in pairwise(LAYERS))
