"""A small problem that an audit finds nothing wrong with, to plant faults in.

level (R,)     the mean square of each row
size (R,)      its root, with eps under it
scaled (R, W)  the rows, each divided by its size
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grader.problem.load import load
from grader.problem.model import Problem

SPEC = """\
format_version: 1
id: scale
title: Scale
level: easy
entry: scale
inputs:
  rows: {shape: [batch, width]}
  eps: {kind: scalar, default: 0.05}
outputs:
  size: {shape: [batch], scale: [rows]}
  scaled: {shape: [batch, width]}
limits: {import_s: 5, case_s: 2, total_s: 20, memory_mb: 512, output_kb: 4}
points: 22
defaults:
  inputs: {rows: {normal: {mean: 1, scale: {over: batch, log_uniform: [0.5, 2]}}}}
cases:
  - name: by hand
    visibility: public
    points: 2
    dtype: float64
    dims: {batch: 2, width: 2}
    inputs: {rows: {values: [[1, -7], [3, 3]]}, eps: 0}
    expected: {size: [5, 3]}
  - name: ordinary
    visibility: hidden
    points: 5
    dims: {batch: 3, width: 5}
    hint: Mind the root.
  - name: many rows
    visibility: hidden
    points: 5
    dims: {batch: 11, width: 4}
    inputs: {eps: 0.5}
    hint: Mind the number of rows.
  - {name: double, visibility: hidden, kind: contract, points: 2, dtype: float64,
     dims: {batch: 2, width: 7}, hint: Mind the digits.}
  - {name: strided, visibility: hidden, kind: contract, points: 2, layout: {rows: transposed},
     dims: {batch: 3, width: 4}, hint: Mind the layout.}
  - {name: gradients, visibility: hidden, kind: contract, points: 2, dtype: float64,
     gradients: [rows], dims: {batch: 2, width: 3}, hint: Mind the gradients.}
  - {name: again, visibility: hidden, points: 2, repeats: 2, dims: {batch: 2, width: 3},
     hint: Mind the dice.}
  - {name: elsewhere, visibility: hidden, kind: contract, points: 2, device: meta,
     dims: {batch: 2, width: 3}, hint: Mind the device.}
traps:
  summed: {stage: level, title: squares are summed, why: A mean., hint: Sum or mean?}
  absolute: {stage: level, title: the mean is of absolute values, why: Squares., hint: Which mean?}
  capped: {stage: level, title: only eight rows count, why: All do., hint: How many rows?}
  eps_outside: {stage: size, title: eps is outside the root, why: Inside., hint: Where is eps?}
  no_root: {stage: size, title: the root is missing, why: A size., hint: Which unit?}
  multiplied: {stage: scaled, title: rows are multiplied, why: Divided., hint: Which way?}
  offset: {stage: scaled, title: a constant is added, why: It is not., hint: What is added?}
  returned_tuple:
    {stage: contract, title: a tuple, why: Names., hint: Names?, when: {check: type, kind: tuple}}
  changed_rows:
    {stage: contract, title: rows are changed, why: No., hint: Which?, when: {check: mutation}}
  kept_axis:
    stage: contract
    title: an axis too many
    why: Shape.
    hint: Shape?
    when: {check: shape, kind: extra_axis, output: size}
  narrowed:
    stage: contract
    title: narrowed
    why: Digits.
    hint: Digits?
    when: {check: precision, kind: narrowed, alone: true}
  viewed:
    {stage: contract, title: viewed, why: Layout., hint: Layout?, when: {check: layout, kind: view}}
  detached:
    stage: contract
    title: detached
    why: Gradients.
    hint: Gradients?
    when: [{check: gradient, kind: missing}, {check: gradient, kind: wrong}]
  random:
    {stage: contract, title: dice, why: Dice., hint: Dice?, when: {check: state, kind: repeat}}
  elsewhere:
    {stage: contract, title: another device, why: GPU., hint: Where?, when: {check: device}}
"""

STAGES = '''\
"""Rows, each divided by its size."""

import torch

from grader.stages import Computation, Fitted, Stage


def capped(rows):
    level = rows.square().mean(-1)
    return torch.cat([level[:8], torch.zeros_like(level[8:])])


def offset_of(scaled, rows, size):
    return float((scaled - rows / size.unsqueeze(-1)).median())


LEVEL = Stage(
    "level",
    lambda rows: rows.square().mean(-1),
    {
        "summed": [lambda rows: rows.square().sum(-1)],
        "absolute": [lambda rows: rows.abs().mean(-1).square()],
        "capped": [capped],
    },
)
SIZE = Stage(
    "size",
    lambda level, eps: (level + eps).sqrt(),
    {
        "eps_outside": [lambda level, eps: level.sqrt() + eps],
        "no_root": [lambda level, eps: level + eps],
    },
)
SCALED = Stage(
    "scaled",
    lambda rows, size: rows / size.unsqueeze(-1),
    {
        "multiplied": [lambda rows, size: rows * size.unsqueeze(-1)],
        "offset": [
            Fitted(lambda rows, size, constant: rows / size.unsqueeze(-1) + constant, offset_of)
        ],
    },
)
COMPUTATION = Computation((LEVEL, SIZE, SCALED), {"size": "size", "scaled": "scaled"})
'''

REFERENCE = """\
def scale(rows, eps=0.05):
    size = (rows.square().mean(-1) + eps).sqrt()
    return {"size": size, "scaled": rows / size.unsqueeze(-1)}
"""

STARTER = """\
def scale(rows, eps=0.05):
    raise NotImplementedError
"""

SPEC_FILE = "problems/scale/problem.yaml"
STAGES_FILE = "problems/scale/stages.py"
STARTER_FILE = "problems/scale/starter.py"
REFERENCE_FILE = "solutions/scale.py"
FILES: Mapping[str, str] = {
    SPEC_FILE: SPEC,
    STAGES_FILE: STAGES,
    STARTER_FILE: STARTER,
    "problems/scale/statement.md": "# Scale\n\nDivide each row by its size.\n",
    REFERENCE_FILE: REFERENCE,
}


def write_files(folder: Path, files: Mapping[str, str] = FILES) -> Path:
    """The files under `folder`; the problem's own folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "problems" / "scale"


def make_scale(folder: Path, files: Mapping[str, str] = FILES) -> Problem:
    """The problem, from files under `folder`."""
    return load(write_files(folder, files))
