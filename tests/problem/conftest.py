"""A small valid problem, a folder to put it in, and a check of what is said when it is broken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.problem.errors import ProblemInvalid
from grader.problem.load import load

TOY = """\
format_version: 1
id: toy
title: Toy
level: easy
tags: [sums]
entry: toy
inputs:
  x: {shape: [batch, width]}
  y: {shape: [width]}
  eps: {kind: scalar, default: 1e-6}
returns: dict
outputs:
  total: {shape: [batch], scale: [x]}
  shares: {shape: [batch, width + 1], axes: [row, part], sums_to_one: part}
tolerances: {float32: {atol: 1e-4, rtol: 1e-5}}
limits: {case_s: 2, memory_mb: 1024}
points: 10
defaults:
  inputs:
    x: {normal: {}}
    y: {uniform: [0, 1]}
cases:
  - {name: first, visibility: public, points: 4.1, dims: {batch: 2, width: 3}}
  - name: second
    visibility: hidden
    points: 5.9
    dims: {batch: 4, width: 1}
    hint: Look at the sizes.
    needs: [first]
hints: [Think., Think again.]
traps:
  wrong_axis: {stage: sum, title: Summed over rows, why: Rows are apart., hint: Which axis?}
  wrong_type:
    {stage: contract, title: A tuple, why: Keys., hint: Which?, when: {check: type, kind: tuple}}
"""


@pytest.fixture
def toy() -> str:
    """The text of a valid spec."""
    return TOY


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """A function that puts a spec into a complete problem folder and returns the folder."""

    def put(spec: str) -> Path:
        folder = tmp_path / "problems" / "toy"
        folder.mkdir(parents=True, exist_ok=True)
        (tmp_path / "solutions").mkdir(exist_ok=True)
        (tmp_path / "solutions" / "toy.py").write_text("def toy(x, y, eps): ...\n")
        (folder / "statement.md").write_text("# Toy\n")
        (folder / "starter.py").write_text("def toy(x, y, eps=1e-6): ...\n")
        (folder / "problem.yaml").write_bytes(spec.encode())
        return folder

    return put


@pytest.fixture
def check(toy: str, write: Callable[[str], Path]) -> Callable[[str | dict[str, str], str], None]:
    """A function that breaks the spec and checks that only this is said, at the marks."""

    def breaking(changes: str | dict[str, str], says: str) -> None:
        if isinstance(changes, str):
            changes = {"width: 3}}": f"width: 3}}, {changes}}}"}
        spec = toy
        for old, new in changes.items():
            assert spec.count(old) == 1, f"{old!r} is there {spec.count(old)} times"
            spec = spec.replace(old, new)
        folder = write(spec.replace("@", ""))
        with pytest.raises(ProblemInvalid) as caught:
            load(folder)
        assert [(e.line, e.column) for e in caught.value.errors] == marks(spec), caught.value
        for error in caught.value.errors:
            assert [part for part in says.split(" | ") if part not in str(error)] == [], error

    return breaking


def marks(spec: str) -> list[tuple[int, int]]:
    """Line and column of every mark, as they are when the marks are gone."""
    return [
        (number, len("".join(parts[:count])) + 1)
        for number, line in enumerate(spec.split("\n"), 1)
        for parts in [line.split("@")]
        for count in range(1, len(parts))
    ]
