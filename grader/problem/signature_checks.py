"""Checks of inputs, outputs, points, traps and stages, as far as no single case matters."""

from __future__ import annotations

from decimal import Decimal

from grader.problem.merge import MergedCase
from grader.problem.mistakes import Mistakes
from grader.problem.model import CONTRACT
from grader.problem.names import close_name
from grader.problem.schema import (
    OutputFile,
    ProblemFile,
    ScalarInputFile,
    TensorInputFile,
    WhenFile,
)
from grader.problem.vocabulary import CHECKS_OF_INPUTS, KINDS
from grader.problem.yaml12 import KeyPath

MAX_DECIMALS = 12


def check_signature(spec: ProblemFile, mistakes: Mistakes) -> None:
    """Check inputs and outputs by themselves and against each other."""
    for section in ("inputs", "outputs"):
        if not getattr(spec, section) and not mistakes.touched(section):
            mistakes.add((section,), f"the problem has no {section}")
    _check_defaults_last(spec, mistakes)
    _check_returns(spec, mistakes)
    for name, output in spec.outputs.items():
        _check_axes(name, output, mistakes)
        _check_scale(name, output, spec, mistakes)


def check_points(spec: ProblemFile, cases: tuple[MergedCase, ...], mistakes: Mistakes) -> None:
    """Check that the points of the cases add up, exactly, to a total above zero."""
    worth = [
        _points(case.path("points"), case.settings.points, mistakes)
        for case in cases
        if case.settings.points is not None
    ]
    total = _points(("points",), spec.points, mistakes)
    known = [points for points in worth if points is not None]
    if total is None or len(known) < len(cases) or mistakes.touched_key("points"):
        return
    actual = sum(known, Decimal(0))
    if cases and actual != total:
        message = f"the points of the cases add up to {actual}, not to {total}"
        mistakes.add(("points",), message, f"write `points: {actual}`, or change the cases")
    elif total == 0:
        mistakes.add(("points",), "the total is zero points, so every solution would be perfect")


def check_traps(spec: ProblemFile, cases: tuple[MergedCase, ...], mistakes: Mistakes) -> None:
    """Check that traps speak of checks, outputs, cases and other traps that exist."""
    names = [case.name for case in cases]
    for trap, texts in spec.traps.items():
        for index, when in enumerate(texts.when):
            path: KeyPath = ("traps", trap, "when", index)
            _check_finding(path, when, mistakes)
            _check_output(path, when, mistakes)
            for position, name in enumerate(when.cases):
                if name not in names and not mistakes.touched_key("name"):
                    mistakes.unknown_value((*path, "cases", position), "case", name, names)
        for index, other in enumerate(texts.same_as):
            _check_same(("traps", trap, "same_as", index), trap, other, spec, mistakes)


def check_stages(spec: ProblemFile, mistakes: Mistakes) -> None:
    """Check that the stages with a text, where there are any, are those that traps are at."""
    if not spec.stages or mistakes.touched("stages") or mistakes.touched("traps"):
        return
    first: dict[str, str] = {}
    for trap, texts in spec.traps.items():
        if texts.stage != CONTRACT:
            first.setdefault(texts.stage, trap)
    strange = [stage for stage in spec.stages if stage not in first]
    silent = [stage for stage in first if stage not in spec.stages]
    for stage in strange:
        message, help = f'no trap is at the stage "{stage}"', close_name(stage, silent or first)
        if stage == CONTRACT:
            message, help = f'"{CONTRACT}" is no stage of the computation', "leave it out"
        mistakes.add_at_key(("stages", stage), message, help)
    for stage in [] if strange else silent:  # a slip in a name makes both
        mistakes.unknown_value(("traps", first[stage], "stage"), "stage", stage, spec.stages)


def _points(path: KeyPath, value: float, mistakes: Mistakes) -> Decimal | None:
    """Return points exactly; None, and a mistake, when they have too many decimals to add up."""
    exact = mistakes.points(path, value)
    exponent = exact.as_tuple().exponent
    if isinstance(exponent, int) and exponent < -MAX_DECIMALS:
        mistakes.add(path, f"points have at most {MAX_DECIMALS} decimals")
        return None
    return exact


def _check_defaults_last(spec: ProblemFile, mistakes: Mistakes) -> None:
    """Python has no parameter without a default after one that has one."""
    optional = ""
    for name, given in spec.inputs.items():
        if isinstance(given, ScalarInputFile) and given.default is not None:
            optional = optional or name
        elif optional and not mistakes.touched("inputs", name):
            message = f'input "{name}" has no default but follows "{optional}", which has one'
            mistakes.add_at_key(("inputs", name), message, f'move it before "{optional}"')


def _check_returns(spec: ProblemFile, mistakes: Mistakes) -> None:
    count = len(mistakes.document.keys("outputs"))
    if spec.returns == "tensor" and count > 1:
        message = f"a solution that returns a tensor has one output, not {count}"
        mistakes.add(("returns",), message, "write `returns: dict`")


def _check_axes(name: str, output: OutputFile, mistakes: Mistakes) -> None:
    path: KeyPath = ("outputs", name)
    if mistakes.touched(*path, "shape") or mistakes.touched(*path, "axes"):
        return
    axes = [size.text for size in output.shape] if output.axes is None else output.axes
    if len(axes) != len(output.shape):
        message = f'output "{name}" has {len(output.shape)} axes in its shape and names {len(axes)}'
        mistakes.add((*path, "axes"), message)
    for index, axis in enumerate(output.axes or ()):
        if axis in axes[:index]:
            mistakes.add((*path, "axes", index), f'axis "{axis}" of output "{name}" is named twice')
    if output.sums_to_one and output.sums_to_one not in axes:
        mistakes.unknown_value((*path, "sums_to_one"), "axis", output.sums_to_one, axes)


def _check_scale(name: str, output: OutputFile, spec: ProblemFile, mistakes: Mistakes) -> None:
    known = mistakes.document.keys("inputs")
    for index, scale in enumerate(output.scale):
        path: KeyPath = ("outputs", name, "scale", index)
        given = spec.inputs.get(scale)
        if isinstance(given, ScalarInputFile):
            mistakes.add(path, f'input "{scale}" is a scalar, and a scale is taken from tensors')
        elif given is None and known and scale not in known:
            mistakes.unknown_value(path, "input", scale, tensor_names(spec))


def _check_same(
    path: KeyPath, trap: str, other: str, spec: ProblemFile, mistakes: Mistakes
) -> None:
    """Only steps of the computation can give the same values; the contract's traps give none."""
    if other == trap:
        mistakes.add(path, f'trap "{trap}" is the same as itself', "leave it out")
    elif other not in spec.traps:
        if not mistakes.touched("traps", other):
            mistakes.unknown_value(path, "trap", other, spec.traps)
    elif CONTRACT in (spec.traps[trap].stage, spec.traps[other].stage):
        mistakes.add(path, "a trap of the contract is seen by its checks, not by its values")


def _check_finding(path: KeyPath, when: WhenFile, mistakes: Mistakes) -> None:
    if when.check not in KINDS:
        mistakes.unknown_value((*path, "check"), "check", when.check, KINDS)
        return
    kinds = KINDS[when.check]
    if when.kind is None or kinds is None or when.kind in kinds:
        return
    if not kinds:
        mistakes.add((*path, "kind"), f'check "{when.check}" has no kinds', "leave `kind` out")
    else:
        of = f' of check "{when.check}"'
        mistakes.unknown_value((*path, "kind"), "kind", when.kind, kinds, of=of)


def _check_output(path: KeyPath, when: WhenFile, mistakes: Mistakes) -> None:
    document = mistakes.document
    of_input = when.check in CHECKS_OF_INPUTS
    known = (*document.keys("outputs"), *(document.keys("inputs") if of_input else ()))
    if when.output is not None and known and when.output not in known:
        mistakes.unknown_value((*path, "output"), "output", when.output, known)


def tensor_names(spec: ProblemFile) -> list[str]:
    """Return the names of the inputs that are tensors."""
    return [name for name, given in spec.inputs.items() if isinstance(given, TensorInputFile)]
