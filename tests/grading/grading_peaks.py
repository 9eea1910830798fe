"""A problem with stages, to test diagnoses on: rows are standardised, and summed by their peaks.

    centred (B, R, W)  each row minus its mean
    scores  (B, R, W)  divided by the root of its mean square plus eps
    peaks   (B, R)     the greatest score of each row
    total   (B, W)     the raw rows, each times its peak, summed

Every kind of trap is there once: plain, in several ways, with a free constant, with a sign (a root
without eps), over two stages, and two (`reversed_difference`, `negated_scores`) that cannot be told
apart by what they give.
"""

from __future__ import annotations

from pathlib import Path

from grader.problem.load import load
from grader.problem.model import Problem

SPEC = """\
format_version: 1
id: peaks
title: Peaks
level: easy
entry: peaks_of
inputs:
  table: {shape: [batch, rows, width]}
  eps: {kind: scalar, default: 0.05}
outputs:
  peaks: {shape: [batch, rows]}
  total: {shape: [batch, width], scale: [table]}
limits: {import_s: 5, case_s: 2, total_s: 20, memory_mb: 512, output_kb: 4}
points: 20
defaults:
  inputs: {table: {normal: {mean: 1, scale: {over: rows, log_uniform: [0.5, 2]}}}}
cases:
  - {name: one batch, visibility: public, points: 4, dims: {batch: 1, rows: 3, width: 4}}
  - name: generic
    visibility: hidden
    points: 4
    dims: {batch: 2, rows: 3, width: 5}
    inputs: {eps: 0.25}
    hint: Mind the rows.
  - name: double
    visibility: hidden
    points: 4
    dtype: float64
    dims: {batch: 3, rows: 4, width: 7}
    hint: Mind the digits.
  - name: wide
    visibility: hidden
    points: 4
    dims: {batch: 4, rows: 2, width: 11}
    inputs: {eps: 1}
    hint: Mind the width.
  - name: half
    visibility: hidden
    points: 1
    dtype: float16
    dims: {batch: 2, rows: 3, width: 5}
    hint: Mind the dtype.
  - name: no rows
    visibility: hidden
    points: 1
    dims: {batch: 2, rows: 0, width: 3}
    hint: Mind no rows.
  - name: turned
    visibility: hidden
    points: 1
    dims: {batch: 2, rows: 3, width: 5}
    layout: {table: transposed}
    needs: [generic]
    hint: Mind the layout.
  - name: after another
    visibility: hidden
    points: 1
    dims: {batch: 3, rows: 2, width: 6}
    previous_calls: [{batch: 1, rows: 4, width: 3}]
    hint: Mind the past.
traps:
  uncentred: {stage: centred, title: no mean is taken off, why: It must., hint: Which mean is left?}
  reversed_difference:
    {stage: centred, title: the mean comes first, why: The sign., hint: Which comes first?}
  centred_over_rows:
    {stage: centred, title: the mean is over rows, why: Rows are apart., hint: Which axis?}
  negated_scores: {stage: scores, title: the scores are negated, why: The sign., hint: Which sign?}
  unbiased_scale:
    {stage: scores, title: the variance is unbiased, why: It is a mean., hint: Divided by what?}
  eps_outside_root:
    {stage: scores, title: eps is outside the root, why: Inside., hint: Where is eps?}
  other_eps: {stage: scores, title: eps is hard-coded, why: An argument., hint: Whose eps is it?}
  lowest: {stage: peaks, title: the lowest is taken, why: The greatest., hint: Which end is it?}
  absolute_peaks: {stage: peaks, title: the signs are lost, why: Signs., hint: Which sign?}
  swapped_tables:
    {stage: peaks, title: raw and standardised are swapped, why: Raw., hint: Which table?}
  standardised_values:
    {stage: total, title: the scores are summed, why: Raw., hint: Which values are summed?}
  mean_of_rows: {stage: total, title: rows are averaged, why: A sum., hint: Sum or mean?}
  returned_tuple:
    {stage: contract, title: a tuple, why: Names., hint: Names?, when: {check: type, kind: tuple}}
  mutated:
    {stage: contract, title: the table is changed, why: Leave it., hint: In place?,
     when: {check: mutation}}
  transposed:
    {stage: contract, title: axes are exchanged, why: Order., hint: Order?,
     when: {check: shape, kind: permuted}}
  extra_axis:
    {stage: contract, title: an axis too many, why: Shape., hint: Shape?,
     when: {check: shape, kind: extra_axis}}
  narrowed:
    {stage: contract, title: digits are lost, why: Digits., hint: Which dtype?,
     when: {check: precision, kind: narrowed, alone: true}}
  no_rows:
    {stage: contract, title: without rows it fails, why: No rows are fine., hint: No rows?,
     when: [{check: error, cases: [no rows]}, {check: shape, cases: [no rows]}]}
  not_contiguous:
    {stage: contract, title: a strided table fails, why: Layout., hint: A view?,
     when: {check: layout}}
  remembers:
    {stage: contract, title: it remembers, why: The past., hint: Globals?,
     when: {check: state, kind: previous}}
"""

STAGES = '''\
"""Rows are standardised, and summed by their peaks."""

from grader.stages import Computation, Fitted, Stage, Variant


def mean_square(centred):
    return centred.square().mean(-1, keepdim=True)


def divided(centred, eps):
    return centred / (mean_square(centred) + eps).sqrt()


def unbiased(centred, eps):
    square = centred.square().sum(-1, keepdim=True) / (centred.shape[-1] - 1)
    return centred / (square + eps).sqrt()


def weighted(peaks, values):
    return (peaks.unsqueeze(-1) * values).sum(1)


def eps_of(peaks, centred):
    """By the peaks that the solution returned."""
    return float(((centred.amax(-1) / peaks).square() - centred.square().mean(-1)).median())


CENTRED = Stage(
    "centred",
    lambda table: table - table.mean(-1, keepdim=True),
    {
        "uncentred": [lambda table: table],
        "reversed_difference": [lambda table: table.mean(-1, keepdim=True) - table],
        "centred_over_rows": [
            lambda table: table - table.mean(1, keepdim=True),
            lambda table: table - table.mean((1, 2), keepdim=True),
        ],
    },
    [lambda table: table.mean(-1)],
)
SCORES = Stage(
    "scores",
    divided,
    {
        "negated_scores": [lambda centred, eps: -divided(centred, eps)],
        "unbiased_scale": [unbiased],
        "eps_outside_root": [lambda centred, eps: centred / (mean_square(centred).sqrt() + eps)],
        "other_eps": [Fitted(lambda centred, constant: divided(centred, constant), eps_of)],
    },
    [
        lambda centred: centred.square(),
        mean_square,
        lambda centred: mean_square(centred).sqrt(),
        lambda centred, eps: mean_square(centred) + eps,
        lambda centred, eps: (mean_square(centred) + eps).sqrt(),
    ],
    {"eps_outside_root": [lambda centred: mean_square(centred).sqrt()]},
)
PEAKS = Stage(
    "peaks",
    lambda scores: scores.amax(-1),
    {
        "lowest": [lambda scores: scores.amin(-1)],
        "absolute_peaks": [lambda scores: scores.abs().amax(-1)],
        "swapped_tables": [
            Variant(
                {
                    "peaks": lambda table: table.amax(-1),
                    "total": lambda peaks, scores: weighted(peaks, scores),
                }
            )
        ],
    },
)
TOTAL = Stage(
    "total",
    lambda peaks, table: weighted(peaks, table),
    {
        "standardised_values": [lambda peaks, scores: weighted(peaks, scores)],
        "mean_of_rows": [lambda peaks, table: weighted(peaks, table) / table.shape[1]],
    },
    [lambda peaks, table: peaks.unsqueeze(-1) * table],
)
COMPUTATION = Computation((CENTRED, SCORES, PEAKS, TOTAL), {"peaks": "peaks", "total": "total"})
'''

LINES = {
    "centred": "table - table.mean(-1, keepdim=True)",
    "scores": "centred / (centred.square().mean(-1, keepdim=True) + eps).sqrt()",
    "peaks": "scores.amax(-1)",
    "total": "(peaks.unsqueeze(-1) * table).sum(1)",
}
"""What a right solution has on each line, by the name that it gives to it."""

HEAD = "import torch\n\ndef peaks_of(table, eps=0.05):\n"


def source(returns: str = '{"peaks": peaks, "total": total}', **changed: str) -> str:
    """A solution with one line a stage, some of them changed; the first of these is line 5."""
    lines = [f"    {name} = {text}" for name, text in {**LINES, **changed}.items()]
    body = "\n".join(lines)
    return f"{HEAD}    eps = float(eps)\n{body}\n    return {returns}\n"


def make_peaks(folder: Path, stages: str | None = STAGES) -> Problem:
    """The problem, from files under `folder`; None: it has no stages.py."""
    home = folder / "problems" / "peaks"
    home.mkdir(parents=True, exist_ok=True)
    (folder / "solutions").mkdir(exist_ok=True)
    (folder / "solutions" / "peaks.py").write_text(source())
    (home / "problem.yaml").write_text(SPEC)
    (home / "statement.md").write_text("# Peaks\n\nSum the rows by their peaks.\n")
    (home / "starter.py").write_text(f"{HEAD}    raise NotImplementedError\n")
    if stages is not None:
        (home / "stages.py").write_text(stages)
    return load(home)
