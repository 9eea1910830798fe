"""The JSON Schema of problem.yaml: it accepts what the loader accepts, and explains every key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.problem import schema, yaml12
from grader.problem.load import load
from grader.problem.schema import json_schema

jsonschema = pytest.importorskip("jsonschema", reason="the schema is checked with jsonschema")


@pytest.fixture(scope="module")
def validator() -> Any:
    jsonschema.Draft202012Validator.check_schema(json_schema())
    return jsonschema.Draft202012Validator(json_schema())


LONG = """\
  - name: third
    visibility: public
    points: 0
    dims: {batch: 2, width: 3}
    device: any
    devices: [cpu]
    inputs:
      x:
        normal: {scale: {over: width, log_uniform: [0.1, 10]}, mean: {over: [batch], normal: 1}}
        set: {at: {batch: 0}, value: 0}
        copy: [{to: {batch: 0}, from: {batch: 0}}]
        align: {along: y, one_of: batch, amount: 2 * width}
      y: {values: [1, sqrt(2), 3]}
      eps: 1e-2
    layout: {x: {expanded: batch}, y: strided}
    gradients: [x]
    tolerance: {atol: 0, rtol: 1e-3}
    previous_calls: [{batch: 1, width: 3}]
    expected: {total: [1, 2]}
stages: {sum: {title: Add, formula: "$s = \\\\sum_i x_i$"}}
hints:"""


def test_the_schema_accepts_what_the_loader_accepts(
    toy: str, write: Callable[[str], Path], validator: Any
) -> None:
    """An editor that follows the schema marks nothing in a valid spec."""
    told = "stage: sum, effect: All is off., formula: $s$ for every $i$, same_as: [twin],"
    spec = toy.replace("hints:", LONG).replace("stage: sum,", told)
    spec = spec.replace("traps:\n", "traps:\n  twin: {stage: sum, title: T, why: W, hint: H}\n")
    load(write(spec))
    data = yaml12.read(spec.encode(), Path("problem.yaml")).data
    assert [error.message for error in validator.iter_errors(data)] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title: Toy", "titel: Toy"),
        ("level: easy", "level: esay"),
        ("entry: toy", "entry: my-toy"),
        ("memory_mb: 1024", "memory_mb: 100"),
        ("format_version: 1", "format_version: 2"),
        ("{normal: {}}", "{normal: {scael: 1}}"),
        ("wrong_axis: {", "wrong-axis: {"),
        ("float32: {", "float23: {"),
        ("points: 4.1", "points: -4.1"),
        ("y: {uniform: [0, 1]}", "y: {uniform: [0]}"),
        ("hint: Look", "hint: 3 #"),
        ("stage: sum,", "stage: sum, formula: s_i,"),
        ("stage: sum,", 'stage: sum, formula: "$s$\\nand $t$",'),
        ("stage: sum,", "stage: sum, effect: '',"),
        ("hints:", "stages: {sum: {formula: $s$}}\nhints:"),
        ("visibility: hidden", "visibility: null"),
    ],
)
def test_the_schema_refuses_wrong_forms(toy: str, validator: Any, old: str, new: str) -> None:
    """What the loader refuses in form, the schema does too."""
    data = yaml12.read(toy.replace(old, new).encode(), Path("problem.yaml")).data
    assert list(validator.iter_errors(data))


def _properties(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for name, model in {"ProblemFile": schema, **schema["$defs"]}.items():
        for key, form in model.get("properties", {}).items():
            yield name, key, form


def test_every_key_is_described() -> None:
    """An editor shows a sentence for each key, and never offers null."""
    for name, key, form in _properties(json_schema()):
        described = "description" in form or form.get("const")
        assert described or (name, key) == ("ScalarInputFile", "kind"), f"{name}.{key}"
        assert "null" not in str(form.get("type", "")), f"{name}.{key}"


def test_the_published_schema_is_current() -> None:
    """The file that specs point editors at is what the loader checks."""
    published = Path(schema.__file__).with_name("problem.schema.json").read_text(encoding="utf-8")
    assert json.loads(published) == schema.json_schema(), "write it anew from schema.json_schema()"
