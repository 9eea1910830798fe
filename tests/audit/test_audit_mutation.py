"""From a source to its mutants: what each operator makes, and what is left alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from grader.audit.mutation import Mutation, mutations

ROOT = Path(__file__).parents[2]
REFERENCES = sorted((ROOT / "solutions").glob("*.py"))
RIGHT = sorted((ROOT / "tests" / "solutions" / "right").glob("*/*.py"))[::8]
HEAD = "import torch\n\n\ndef f(x, y, n: int = 3):\n"


def made(line: str, operator: str) -> set[str]:
    """What the operator makes of this line of a function."""
    found = mutations(f"{HEAD}    {line}\n")
    return {new(each) for each in found if each.operator == operator and each.line == 5}


def new(mutation: Mutation) -> str:
    """The lines that a mutant has instead."""
    lines = mutation.diff.splitlines()[1:]
    return "\n".join(line[1:].strip() for line in lines if line[0] == "+")


@pytest.mark.parametrize(
    ("operator", "line", "expected"),
    [
        ("axis", "return x.sum(0)", {f"return x.sum({n})" for n in (1, 2, -1)}),
        ("axis", "return x.sum(dim=-1)", {f"return x.sum(dim={n})" for n in (-2, -3, 0)}),
        ("axis", "return x.sum(axis=1)", {f"return x.sum(axis={n})" for n in (0, 2)}),
        ("axis", "return x.view(1)", set()),
        (
            "off_by_one",
            "return x[1:n]",
            {f"return x[{s}]" for s in ("2:n", "0:n", ":n", "1:n + 1", "1:n - 1", "1:")},
        ),
        ("off_by_one", "return x[::2]", {"return x[1::2]", "return x[:-1:2]"}),
        ("off_by_one", "return x[n]", {"return x[n + 1]", "return x[n - 1]"}),
        ("off_by_one", "range(n)", {"range(n + 1)", "range(n - 1)"}),
        ("constant", "return 3", {f"return {n}" for n in (0, 1, -1, 4, 2, 6, -3)}),
        (
            "constant",
            "return -1e-6",
            {
                f"return {n}"
                for n in ("0.0", "1.0", "1e-06", "-2e-06", "-5e-07", "-1e-05", "-1e-07")
            },
        ),
        ("constant", "return True", {"return False"}),
        ("arithmetic", "return x - y", {"return x + y", "return x * y"}),
        ("arithmetic", "return x ** y", {"return x * y", "return x / y"}),
        ("arithmetic", "return (x) // (y)", {f"return (x) {s} (y)" for s in "/*%"}),
        ("arithmetic", "x += y", {"x -= y", "x *= y", "x = y"}),
        ("comparison", "return x <= y", {"return x < y", "return x >= y"}),
        ("comparison", "return x is not y", {"return x is y"}),
        (
            "comparison",
            "return x < y == n",
            {f"return x {s} n" for s in ("<= y ==", "> y ==", "< y !=")},
        ),
        ("boolean", "return x or y", {"return x and y", "return x", "return y"}),
        ("condition", "return x if n > 1 else y", {"return x if not (n > 1) else y"}),
        ("condition", "return x if not n else y", {"return x if n else y"}),
        ("condition", "return [z for z in x if z]", {"return [z for z in x if not z]"}),
        ("negation", "return x - y.T", {"return -(x - y.T)", "return -x - y.T", "return x - -y.T"}),
        ("negation", "return -x", {"return x"}),
        (
            "dropped_term",
            "return x * (y + n)",
            {f"return {s}" for s in ("x", "y + n", "x * (y)", "x * (n)")},
        ),
        ("swapped_operands", "return x - y * n", {"return y * n - x"}),
        ("swapped_operands", "return x / (y + n)", {"return (y + n) / (x)"}),
        ("swapped_operands", "return x * y", set()),
        ("swapped_operands", "return [x] + y", {"return y + [x]"}),
        (
            "swapped_arguments",
            "return torch.where(x, y, n)",
            {f"return torch.where({s})" for s in ("y, x, n", "x, n, y", "n, y, x")},
        ),
        ("swapped_elements", "return torch.cat([x, y])", {"return torch.cat([y, x])"}),
        ("swapped_elements", "return {'a': x, 'b': y}", {"return {'a': y, 'b': x}"}),
        (
            "dropped_element",
            "return torch.cat([x, y])",
            {"return torch.cat([x])", "return torch.cat([y])"},
        ),
        ("dropped_element", "return {'a': x, 'b': y}", {"return {'a': x}", "return {'b': y}"}),
        ("removed_call", "return torch.sqrt(x)", {"return x"}),
        ("removed_call", "return x.square().mean(0)", {"return x.square()", "return x.mean(0)"}),
        ("removed_call", "return (x + y).T @ x", {"return (x + y) @ x"}),
        ("removed_call", "return torch.sqrt(x + y) ** 2", {"return (x + y) ** 2"}),
        (
            "dropped_argument",
            "return x.mean(0, keepdim=True)",
            {"return x.mean(keepdim=True)", "return x.mean(0)"},
        ),
        ("dropped_argument", "return torch.sqrt(x)", set()),
        (
            "sibling",
            "return torch.rsqrt(x)",
            {"return torch.sqrt(x)", "return torch.reciprocal(x)"},
        ),
        ("sibling", "return x.amax(0)", {"return x.amin(0)", "return x.mean(0)"}),
        ("sibling", "return max(n, 1)", {"return min(n, 1)"}),
        ("in_place", "return x.square()", {"return x.square_()"}),
        ("in_place", "return torch.exp(x)", {"return torch.exp_(x)"}),
        ("in_place", "return (x + y).square()", set()),
        ("in_place", "return x.mean()", set()),
        ("exchanged_name", "return x[n]", {"return y[n]"}),
        ("string", 'return {"total": x}', {'return {"tota": x}'}),
        (
            "string",
            "return torch.einsum('ab->ba', x)",
            {f"return torch.einsum('{s}', x)" for s in ("ab->b", "ab->ab")},
        ),
        ("string", "return x[r'\\d']", {"return x['\\\\']"}),
        ("detached", "return x.sum()", {"return x.sum().detach()", "return x.detach().sum()"}),
        ("detached", "return n", set()),
        (
            "narrowed",
            "z = x + y",
            {"z = (x + y).float()", "z = x.float() + y", "z = x + y.float()"},
        ),
        ("removed_statement", "x.mul_(y)", {"pass"}),
    ],
)
def test_what_an_operator_makes(operator: str, line: str, expected: set[str]) -> None:
    """All it makes of one line, and nothing else."""
    assert made(line, operator) == expected


@pytest.mark.parametrize(
    "line",
    [
        '"""A docstring: 1 + 2."""',
        "import math",
        "from math import sqrt as root",
        "pass",
        "z: int",
        "def g(): ...",
    ],
)
def test_what_is_not_computed_is_left_alone(line: str) -> None:
    """Nor are annotations, or the texts of errors."""
    assert mutations(f"def f(x: 'a + b') -> 'c - 1':\n    {line}\n") == ()


def test_of_an_error_only_the_raising_is_changed() -> None:
    """What it says is nobody's mistake; the parts of an f-string have no certain place."""
    found = mutations("def f(x):\n    raise ValueError(f'{x + 1}', 'not ' + x)\n")
    assert [each.operator for each in found] == ["removed_statement"]


def test_a_variable_is_exchanged_only_for_one_of_its_kind_that_has_a_value() -> None:
    """Tensors, sizes and dtypes are not taken for each other; `late` comes too late."""
    source = (
        "def f(x, y, eps=1e-6):\n"
        "    rows, width = x.shape\n"
        "    dtype = x.dtype\n"
        "    early = x + y\n"
        "    late = early * eps\n"
        "    return late.view(rows)\n"
    )
    found = [each for each in mutations(source) if each.operator == "exchanged_name"]
    assert {new(each) for each in found if each.line == 5} == {
        "late = x * eps",
        "late = y * eps",
        "late = early * rows",
        "late = early * width",
    }


def test_a_nested_function_sees_the_variables_around_it() -> None:
    """And those of the file."""
    source = "A = 1\ndef f(x):\n    def g(y):\n        n = 2\n        return n\n    return g\n"
    found = {new(each) for each in mutations(source) if each.operator == "exchanged_name"}
    assert found == {"return A"}


def test_all_but_the_node_stays_as_it_is() -> None:
    """Comments, odd spaces, letters beyond ASCII, the other end of lines."""
    source = "def f(é, b):\r\n\tx = 'ü'  ;  y = é  +  b # ö\f\r\n\treturn  (x ,\r\n\t\ty)\r\n"
    found = {each.source for each in mutations(source)}
    assert source.replace("é  +  b", "é  -  b") in found
    assert source.replace("(x ,\r\n\t\ty)", "(x)") in found


def test_a_sign_in_a_comment_is_not_the_operator() -> None:
    """Where an expression is spread over lines."""
    source = "def f(a, b):\n    return (a  # a + b\n            + b)\n"
    mutant = next(each for each in mutations(source) if each.operator == "arithmetic")
    assert mutant.diff == "@@ -3 +3 @@\n-            + b)\n+            - b)"
    assert mutant.line == 3


def test_brackets_are_there_where_they_make_a_difference() -> None:
    """And only there."""
    assert "return (x + y) * n" in made("return torch.abs(x + y) * n", "removed_call")
    assert "return x + y" in made("return torch.abs(x + y)", "removed_call")


def test_an_id_survives_what_does_not_change_the_statement() -> None:
    """Its layout, comments, what stands before it, and the names of other functions."""
    plain = "def f(x):\n    y = x + 1\n    return y.sum(0)\n"
    other = (
        "# new\nimport torch\n\nLIMIT = 'a'\n\ndef g(z):\n    return z\n\n"
        "def f(x):\n    y = (x +\n         1)  # more\n    return y.sum( 0 )\n"
    )
    kept = {each.id for each in mutations(plain) if each.operator != "exchanged_name"}
    assert kept <= {each.id for each in mutations(other)}


def test_an_id_does_not_survive_another_statement() -> None:
    """What was said of the old one may not be true of the new one."""
    ids = [{m.id for m in mutations(f"def f(x):\n    return x {s} 2\n")} for s in "+-"]
    assert not ids[0] & ids[1]


def test_equal_statements_have_different_ids() -> None:
    """They are counted."""
    found = mutations("def f(x):\n    x.add_(1)\n    x.add_(1)\n    return x\n")
    ids = [each.id for each in found]
    assert len(ids) == len(set(ids))
    assert sum(each.operator == "removed_statement" for each in found) == 3
    assert any(id.endswith("-2") for id in ids)


def test_no_two_mutants_are_the_same_program() -> None:
    """`x * 1` is made by several operators out of `x * 2`; the first gives it its name."""
    forms = [ast.unparse(ast.parse(m.source)) for m in mutations("def f(x):\n    return x * 2\n")]
    assert len(forms) == len(set(forms))


@pytest.mark.parametrize("path", [*REFERENCES, *RIGHT], ids=lambda path: path.stem)
def test_mutants_of_real_files(path: Path) -> None:
    """Each parses, is another program, and has a diff of its own line that makes it."""
    source = path.read_text(encoding="utf-8-sig")
    lines = source.split("\n")
    for each in mutations(source):
        assert ast.dump(ast.parse(each.source)) != ast.dump(ast.parse(source))
        removed = [line[1:] for line in each.diff.split("\n") if line.startswith("-")]
        assert lines[each.line - 1] in removed
        assert len(removed) <= 20


@pytest.mark.parametrize("path", REFERENCES, ids=lambda path: path.stem)
def test_a_reference_has_many_mutants(path: Path) -> None:
    """Enough to mean something."""
    assert len(mutations(path.read_text(encoding="utf-8"))) >= 150


def test_a_source_that_is_no_python_is_refused() -> None:
    """The caller has loaded it before, so this is a mistake of ours."""
    with pytest.raises(SyntaxError):
        mutations("def f(:")
