"""The line that breaks the contract: found in a trace, by what the checks saw.

Values need the problem's stages to be judged; what the contract asks shows in any trace: where an
input changes, digits are lost, a gradient is cut off, chance or an earlier call comes in; and an
output that has a wrong form is looked for where the file names it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import torch

from grader.grading.source import Source
from grader.results import Finding
from grader.sandbox.messages import Traced, TraceStep

_FORM = frozenset({"type", "keys", "shape", "dtype", "device"})
TELLING = _FORM | {"mutation", "gradient", "precision", "state"}
"""The checks whose findings have a line in a trace."""
_MOST_STRANGE = 5
"""So many keys that are not asked for are looked for in the file."""


def breach_line(
    findings: Collection[Finding],
    traced: Traced,
    dtype: str,
    outputs: Collection[str],
    source: Source,
    tracked: Collection[int] = (),
) -> int | None:
    """The line for findings of one case of this dtype; None where a trace cannot tell.

    `outputs`: the names that the problem gives them; `source`: the file; `tracked`: the inputs that
    gradients are asked of, by the numbers that they have as sources.
    """
    checks = {finding.check for finding in findings}
    if "mutation" in checks:
        return traced.mutated
    if "gradient" in checks:
        return _cut_off(traced.steps, source, tracked)
    if checks & {"dtype", "precision"}:
        found = _narrowed(traced.steps, dtype) or _made_wide(traced.steps, findings, dtype)
        if found is not None:
            return found
    if not checks & (_FORM | {"precision"}):
        return None
    return _named(findings, traced, outputs, source) or traced.returned


def parting_line(first: Traced, second: Traced) -> int | None:
    """Where two runs of the same call part: the line that first makes something else, or that runs
    in one of them alone; where one leaves out what the other does, the line that decides it."""
    for one, other in zip(first.steps, second.steps, strict=False):
        if (one.line, one.what) != (other.line, other.what):
            break
        if not _is_equal(one, other):
            return other.line
    for number, (one_line, other_line) in enumerate(zip(first.lines, second.lines, strict=False)):
        if one_line != other_line:
            is_new = other_line not in first.lines
            return other_line if is_new or not number else first.lines[number - 1]
    return second.returned


def _is_equal(one: TraceStep, other: TraceStep) -> bool:
    same = one.value.shape == other.value.shape and one.value.dtype == other.value.dtype
    return same and torch.equal(one.value.nan_to_num(), other.value.nan_to_num())


def _narrowed(steps: Sequence[TraceStep], dtype: str) -> int | None:
    """The first tensor of a narrower dtype than the case has."""
    bits = torch.finfo(getattr(torch, dtype)).bits
    floating = (step for step in steps if step.value.is_floating_point())
    return next((s.line for s in floating if torch.finfo(s.value.dtype).bits < bits), None)


def _made_wide(steps: Sequence[TraceStep], findings: Collection[Finding], dtype: str) -> int | None:
    """The first tensor made from nothing that has the dtype an output wrongly has."""
    wrong = {finding.kind for finding in findings if finding.check == "dtype"} - {dtype}
    made = (s for s in steps if s.kind == "call" and not s.sources)
    return next((s.line for s in made if str(s.value.dtype).removeprefix("torch.") in wrong), None)


def _cut_off(steps: Sequence[TraceStep], source: Source, tracked: Collection[int]) -> int | None:
    """The first tensor that is made from some with a gradient and has none; inside `no_grad`, the
    line that opens it."""
    for step in steps:
        comes_from_some = any(n in tracked or (n >= 0 and steps[n].tracks) for n in step.sources)
        is_made = step.kind == "call" and step.value.is_floating_point()
        if is_made and comes_from_some and not step.tracks and step.what not in _COMPARES:
            return source.without_gradients(step.line) or step.line
    return None


_COMPARES = frozenset({"sign", "round", "floor", "ceil", "heaviside"})


def _named(
    findings: Collection[Finding],
    traced: Traced,
    outputs: Collection[str],
    source: Source,
) -> int | None:
    """Where the file names the output that is wrong; a key that is not asked for before all."""
    returned = [step.what for step in traced.steps if step.kind == "returned"]
    strange = [name for name in returned if name not in outputs][:_MOST_STRANGE]
    of_keys = any(f.check == "keys" and f.kind in ("extra", "misspelled") for f in findings)
    wrong = [f.output for f in findings if f.check in _FORM - {"keys"} and f.output is not None]
    names = (strange if of_keys else []) + wrong
    return next(
        (n for name in names if (n := source.naming(name, traced.returned)) is not None), None
    )
