"""A checked spec to the frozen classes of `model`. Nothing can be wrong any more."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from grader.problem.expressions import Expression
from grader.problem.files import hash_of, reference_path
from grader.problem.merge import MergedCase
from grader.problem.mistakes import Mistakes
from grader.problem.model import (
    DEFAULT_TOLERANCES,
    AlignEdit,
    Case,
    Constant,
    CopyEdit,
    Distribution,
    Edit,
    Fill,
    Input,
    Layout,
    Limits,
    Normal,
    Output,
    PerAxis,
    Problem,
    Quantity,
    Recognition,
    ScalarInput,
    SetEdit,
    StageText,
    TensorInput,
    Tolerance,
    Trap,
    Uniform,
    Values,
)
from grader.problem.schema import (
    ExpandedFile,
    FillFile,
    InputFile,
    LayoutFile,
    OutputFile,
    ProblemFile,
    QuantityFile,
    ScalarInputFile,
    StageFile,
    ToleranceFile,
    TrapFile,
)
from grader.results import Visibility

_EXACT = Tolerance(0.0, 0.0)
TOLERANCES: Mapping[str, Tolerance] = {
    **DEFAULT_TOLERANCES,
    **dict.fromkeys(("int32", "int64", "bool"), _EXACT),
}
"""What a spec does not say. A mantissa has 52, 23, 10 and 7 bits; sums lose a few of them."""


def to_problem(
    spec: ProblemFile, cases: tuple[MergedCase, ...], mistakes: Mistakes, folder: Path
) -> Problem:
    """Return the problem; reads the files of the folder once more, for their hash."""
    reference = reference_path(spec, folder).resolve()
    given: dict[str, Tolerance] = {
        dtype: _tolerance(tolerance) for dtype, tolerance in spec.tolerances.items()
    }
    return Problem(
        id=spec.id,
        title=spec.title,
        level=spec.level,
        tags=tuple(spec.tags),
        entry=spec.entry,
        inputs=tuple(_input(name, given) for name, given in spec.inputs.items()),
        outputs=tuple(_output(name, output) for name, output in spec.outputs.items()),
        returns=spec.returns,
        tolerances={**TOLERANCES, **given},
        limits=Limits(**spec.limits.model_dump()),
        points=mistakes.points(("points",), spec.points),
        cases=tuple(_case(case, list(spec.inputs), mistakes) for case in cases),
        hints=tuple(spec.hints),
        traps={id: _trap(id, trap) for id, trap in spec.traps.items()},
        folder=folder,
        reference=reference,
        hash=hash_of(folder, reference),
        stages={name: _stage(stage) for name, stage in spec.stages.items()},
    )


def _input(name: str, given: InputFile) -> Input:
    if isinstance(given, ScalarInputFile):
        return ScalarInput(name, given.default)
    return TensorInput(name, tuple(given.shape), given.dtype)


def _output(name: str, output: OutputFile) -> Output:
    axes = [size.text for size in output.shape] if output.axes is None else output.axes
    return Output(
        name=name,
        shape=tuple(output.shape),
        axes=tuple(axes),
        dtype=output.dtype,
        sums_to_one=output.sums_to_one or None,
        scale_inputs=tuple(output.scale),
    )


def _tolerance(tolerance: ToleranceFile) -> Tolerance:
    return Tolerance(tolerance.atol, tolerance.rtol)


def _case(case: MergedCase, order: list[str], mistakes: Mistakes) -> Case:
    said = case.settings
    return Case(
        name=said.name,
        visibility=cast(Visibility, said.visibility),
        points=mistakes.points(case.path("points"), said.points or 0),
        dims=dict(said.dims),
        dtype=said.dtype,
        fills={name: _fill(name, said.inputs[name]) for name in order if name in said.inputs},
        device=said.device,
        devices=tuple(said.devices),
        layouts={name: _layout(layout) for name, layout in said.layout.items()},
        gradients=tuple(said.gradients),
        needs=tuple(said.needs),
        hint=said.hint.strip(),
        previous_calls=tuple(dict(dims) for dims in said.previous_calls),
        repeats=said.repeats,
        tolerance=None if said.tolerance is None else _tolerance(said.tolerance),
        expected={name: Values(_as_tuple(values)) for name, values in said.expected.items()},
        kind=said.kind,
    )


def _as_tuple(values: object) -> tuple[object, ...]:
    """Return nested values; the one value of an output without axes as a tuple of one."""
    return values if isinstance(values, tuple) else (values,)


def _layout(layout: LayoutFile) -> Layout:
    if isinstance(layout, ExpandedFile):
        return Layout("expanded", layout.expanded)
    return Layout(layout)


def _fill(name: str, fill: FillFile) -> Fill:
    edits: list[Edit] = [SetEdit(edit.at, edit.value) for edit in fill.set_]
    edits += [CopyEdit(edit.to, edit.source, edit.of or name) for edit in fill.copy_]
    edits += [AlignEdit(edit.along, edit.one_of, edit.amount) for edit in fill.align]
    return Fill(_distribution(fill), tuple(edits))


def _distribution(fill: FillFile) -> Distribution:
    if fill.normal is not None:
        return Normal(mean=_quantity(fill.normal.mean), scale=_quantity(fill.normal.scale))
    if fill.uniform is not None:
        return Uniform(*fill.uniform)
    if fill.constant is not None:
        return Constant(fill.constant)
    return Values(_as_tuple(fill.values))


def _quantity(quantity: QuantityFile) -> Quantity:
    if isinstance(quantity, Expression):
        return quantity
    over = tuple(quantity.over)
    if quantity.normal is not None:
        return PerAxis(over, "normal", (quantity.normal,))
    if quantity.uniform is not None:
        return PerAxis(over, "uniform", tuple(quantity.uniform))
    if quantity.log_uniform is not None:
        return PerAxis(over, "log_uniform", tuple(quantity.log_uniform))
    return PerAxis(over, "values", tuple(quantity.values or ()))


def _trap(id: str, trap: TrapFile) -> Trap:
    seen = tuple(
        Recognition(when.check, when.kind, when.output, tuple(when.cases), when.alone)
        for when in trap.when
    )
    return Trap(
        id=id,
        stage=trap.stage,
        title=trap.title,
        why=trap.why.strip(),
        hint=trap.hint.strip(),
        recognised_by=seen,
        effect=(trap.effect or "").strip(),
        formula=trap.formula or "",
        same_as=tuple(trap.same_as),
    )


def _stage(stage: StageFile) -> StageText:
    return StageText(stage.title, stage.formula or "")
