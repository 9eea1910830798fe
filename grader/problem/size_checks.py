"""Checks of dims and sizes: each call of a case sizes all dims, and no shape comes out negative."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.problem.expressions import Expression, ExpressionError
from grader.problem.fill_checks import Call, Shape
from grader.problem.merge import MergedCase
from grader.problem.mistakes import Mistakes
from grader.problem.schema import ProblemFile, TensorInputFile
from grader.problem.yaml12 import KeyPath


@dataclass(frozen=True, slots=True)
class Dims:
    """The names of sizes: those that shapes use, and those to which any case gives a size.

    `certain`: every shape is well formed, so `used` holds them all.
    """

    used: frozenset[str]
    given: frozenset[str]
    certain: bool


def dims_of(spec: ProblemFile, mistakes: Mistakes) -> Dims:
    """Return the dims of a problem, the given ones as the file has them, well formed or not."""
    used = (name for _, shape in _shapes(spec) for size in shape for name in size.names)
    origins: Iterator[KeyPath] = (("cases", index) for index in range(len(spec.cases)))
    keys = mistakes.document.keys
    given = (name for origin in (("defaults",), *origins) for name in keys(*origin, "dims"))
    certain = mistakes.broken.isdisjoint({("inputs",), ("outputs",)}) and not any(
        mistakes.touched(section, name, "shape")
        for section in ("inputs", "outputs")
        for name in keys(section)
    )
    return Dims(frozenset(used), frozenset(given), certain)


def check_shapes(spec: ProblemFile, dims: Dims, mistakes: Mistakes) -> None:
    """Note each name in a shape to which no case gives a size: a slip of the pen, told once."""
    if mistakes.touched_key("dims"):
        return
    for path, shape in _shapes(spec):
        for index, size in enumerate(shape):
            for name in sorted(size.names - dims.given):
                of = f' in "{size.text}", to which no case gives a size'
                mistakes.unknown_value((*path, index), "dim", name, dims.given, of=of)


def calls(spec: ProblemFile, case: MergedCase, dims: Dims, mistakes: Mistakes) -> Iterator[Call]:
    """Yield the calls of a case, the graded one last, with the shapes that make sense."""
    for index, sizes in enumerate(case.settings.previous_calls):
        path = case.path("previous_calls", index)
        _check_dims(case, path, sizes, dims, mistakes)
        yield _call(spec, case, path, sizes, dims, mistakes)
    _check_dims(case, case.path("dims"), case.settings.dims, dims, mistakes)
    yield _call(spec, case, case.path("dims"), case.settings.dims, dims, mistakes)


def sizes_of(shape: Sequence[Expression], dims: Mapping[str, int]) -> tuple[int, ...]:
    """Return the sizes of a shape; raises ExpressionError where one is not a size."""
    sizes = tuple(size.evaluate_int(dims) for size in shape)
    for size, expression in zip(sizes, shape, strict=True):
        if size < 0:
            raise ExpressionError(f'"{expression.text}" is {size}, below zero')
    return sizes


def _shapes(spec: ProblemFile) -> Iterator[tuple[KeyPath, list[Expression]]]:
    """Yield the place and the sizes of each shape."""
    for name, given in spec.inputs.items():
        if isinstance(given, TensorInputFile):
            yield ("inputs", name, "shape"), given.shape
    for name, output in spec.outputs.items():
        yield ("outputs", name, "shape"), output.shape


def _check_dims(
    case: MergedCase, path: KeyPath, sizes: Mapping[str, int], dims: Dims, mistakes: Mistakes
) -> None:
    """Check that just the dims of the shapes are given a size."""
    if not dims.certain:
        return
    graded = sizes is case.settings.dims
    for name in sizes:
        if name not in dims.used:
            place = case.path("dims", name) if graded else (*path, name)
            mistakes.unknown(place, "dim", dims.used)
    # What no case gives is the fault of the shape that uses it: see check_shapes.
    missing = sorted((dims.used & dims.given) - sizes.keys())
    if missing and not case.has_gap(mistakes, "dims" if graded else "previous_calls"):
        listed = " and ".join(f'"{name}"' for name in missing)
        mistakes.add(path, f'case "{case.name}" gives no size to {listed}')


def _call(
    spec: ProblemFile,
    case: MergedCase,
    path: KeyPath,
    sizes: Mapping[str, int],
    dims: Dims,
    mistakes: Mistakes,
) -> Call:
    """Return a call with the shapes that can be known; a size that makes no sense is noted."""
    known: dict[str, Shape] = {}
    tensors = set()
    for (section, name, _), shape in _shapes(spec):
        if section == "inputs":
            tensors.add(str(name))
        if mistakes.touched(section, name, "shape") or not all(
            size.names <= sizes.keys() for size in shape
        ):
            continue
        try:
            found = sizes_of(shape, sizes)
        except ExpressionError as error:
            mistakes.add(path, f'no size for "{name}" in case "{case.name}": {error}')
            continue
        if section == "inputs":
            known[str(name)] = Shape(tuple(size.text for size in shape), found)
    return Call(case.name, sizes, dims.used, frozenset(tensors), known, mistakes)
