"""A small problem of its own for the tests of grading: rows are summed, and shared out.

It has one case of each kind, so that every path of a grade can be had with a few lines of solution.
"""

from __future__ import annotations

from pathlib import Path

from grader.problem.load import load
from grader.problem.model import Problem

SPEC = """\
format_version: 1
id: toy
title: Toy
level: easy
entry: toy
inputs:
  x: {shape: [rows, width]}
  bias: {shape: [width]}
  factor: {kind: scalar, default: 2.0}
outputs:
  total: {shape: [rows], scale: [x]}
  shares: {shape: [rows, width], axes: [row, part], sums_to_one: part}
limits: {import_s: 5, case_s: 1, total_s: 10, memory_mb: 512, output_kb: 4}
points: 20
defaults:
  inputs: {x: {normal: {}}, bias: {normal: {}}}
cases:
  - {name: secret, visibility: hidden, points: 3, dims: {rows: 4, width: 5}, hint: Mind the rows.}
  - {name: small, visibility: public, points: 2, dims: {rows: 2, width: 3}}
  - {name: no rows, visibility: public, points: 1, dims: {rows: 0, width: 3}, inputs: {factor: 3}}
  - name: double
    visibility: hidden
    points: 2
    dims: {rows: 3, width: 2}
    dtype: float64
    hint: Mind the digits.
  - name: turned
    visibility: hidden
    points: 2
    dims: {rows: 3, width: 4}
    layout: {x: transposed}
    needs: [small]
    hint: Mind the layout.
  - name: gradients
    visibility: hidden
    points: 3
    dims: {rows: 2, width: 3}
    dtype: float64
    gradients: [x, bias]
    needs: [small]
    hint: Mind the gradients.
  - name: before
    visibility: hidden
    points: 2
    dims: {rows: 2, width: 3}
    previous_calls: [{rows: 5, width: 2}]
    needs: [small]
    hint: Mind the past.
  - name: again
    visibility: hidden
    points: 2
    dims: {rows: 2, width: 3}
    repeats: 2
    hint: Mind the dice.
  - name: elsewhere
    visibility: hidden
    points: 3
    dims: {rows: 2, width: 3}
    device: meta
    hint: Mind the device.
traps:
  returned_tuple:
    {stage: contract, title: a tuple, why: Names., hint: Names?, when: {check: type, kind: tuple}}
  narrowed:
    stage: contract
    title: narrowed to single precision
    why: Digits.
    hint: Digits?
    when: {check: precision, kind: narrowed, alone: true}
  no_rows:
    stage: contract
    title: without rows it fails
    why: No rows are fine.
    hint: Rows?
    when: [{check: error, cases: [no rows]}, {check: shape, cases: [no rows]}]
  wrong_device:
    {stage: contract, title: another device, why: GPU., hint: Where?, when: {check: device}}
  stateful:
    stage: contract
    title: it remembers
    why: The past.
    hint: Globals?
    when: {check: state, kind: previous}
  nondeterministic:
    stage: contract
    title: it throws dice
    why: Dice.
    hint: Noise?
    when: {check: state, kind: repeat}
"""

REFERENCE = """\
def toy(x, bias, factor=2.0):
    y = x + bias
    return {"total": factor * y.sum(-1), "shares": y.softmax(-1)}
"""

STARTER = """\
def toy(x, bias, factor=2.0):
    raise NotImplementedError
"""


def make_problem(folder: Path, spec: str = SPEC, reference: str = REFERENCE) -> Problem:
    """The problem, from files under `folder`."""
    home = folder / "problems" / "toy"
    home.mkdir(parents=True, exist_ok=True)
    (folder / "solutions").mkdir(exist_ok=True)
    (folder / "solutions" / "toy.py").write_text(reference)
    (home / "problem.yaml").write_text(spec)
    (home / "statement.md").write_text("# Toy\n\nSum the rows.\n")
    (home / "starter.py").write_text(STARTER)
    return load(home)


def solution(body: str, before: str = "") -> str:
    """The source of a solution: `y` is given, `body` ends in a return."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"import torch\n{before}\ndef toy(x, bias, factor=2.0):\n    y = x + bias\n{lines}\n"


RIGHT = solution('return {"total": factor * y.sum(-1), "shares": y.softmax(-1)}')
WRONG = solution('return {"total": factor * y.sum(-1), "shares": y.softmax(0)}')
