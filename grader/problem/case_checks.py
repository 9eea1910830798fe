"""Checks of the cases: each against the signature, and against the other cases."""

from __future__ import annotations

from collections.abc import Mapping

from grader.problem.expressions import ExpressionError
from grader.problem.fill_checks import Call, check_scalar, check_tensor, misfit
from grader.problem.merge import MergedCase
from grader.problem.mistakes import Mistakes
from grader.problem.schema import ExpandedFile, ProblemFile, ScalarInputFile, TensorInputFile
from grader.problem.signature_checks import tensor_names
from grader.problem.size_checks import calls, check_shapes, dims_of, sizes_of
from grader.problem.vocabulary import FLOATING
from grader.problem.yaml12 import KeyPath


def check_cases(spec: ProblemFile, cases: tuple[MergedCase, ...], mistakes: Mistakes) -> None:
    """Check every case, and that there is one."""
    if not cases and not mistakes.touched("cases"):
        mistakes.add(("cases",), "the problem has no cases, so every solution would be right")
    _check_names(cases, mistakes)
    dims = dims_of(spec, mistakes)
    if cases:
        check_shapes(spec, dims, mistakes)
    for case in cases:
        _check_settings(case, mistakes)
        _check_layout(spec, case, mistakes)
        _check_gradients(spec, case, mistakes)
        _check_fills_given(spec, case, mistakes)
        _check_meta(case, mistakes)
        for call in calls(spec, case, dims, mistakes):
            _check_fills(spec, case, call)
        _check_expected(spec, case, mistakes)


def _check_names(cases: tuple[MergedCase, ...], mistakes: Mistakes) -> None:
    first: dict[str, MergedCase] = {}
    for case in cases:
        before = first.setdefault(case.name, case)
        if before is not case:
            line = mistakes.document.node((*before.path(), "name")).line
            message = f'two cases are named "{case.name}", the first on line {line}'
            mistakes.add((*case.path(), "name"), message, "give each case its own name")
    for case in cases:
        for index, need in enumerate(case.settings.needs):
            _check_need(case, case.path("needs", index), need, first, mistakes)


def _check_need(
    case: MergedCase, path: KeyPath, need: str, first: Mapping[str, MergedCase], mistakes: Mistakes
) -> None:
    if need == case.name:
        mistakes.add(path, f'case "{need}" needs itself')
    elif need in first and first[need].index > case.index:
        help = "move that case before this one"
        mistakes.add(path, f'case "{case.name}" needs the later case "{need}"', help)
    elif need in first and _visibility(case) == "public" and _visibility(first[need]) == "hidden":
        message = f'public case "{case.name}" needs the hidden case "{need}"'
        mistakes.add(path, message, "public cases are put first; need a public one, or hide this")
    elif need not in first and not mistakes.touched_key("name"):
        mistakes.unknown_value(path, "case", need, first)


def _visibility(case: MergedCase) -> str | None:
    return case.settings.visibility


def _check_settings(case: MergedCase, mistakes: Mistakes) -> None:
    """Check what every case must say, itself or by the defaults."""
    for key in ("visibility", "points"):
        if getattr(case.settings, key) is None and not case.has_gap(mistakes, key):
            mistakes.add(case.path(), f'case "{case.name}" has no {key}')
    silent = case.settings.visibility == "hidden" and not case.settings.hint.strip()
    if silent and not case.has_gap(mistakes, "hint"):
        help = "say in one sentence what a learner is told when it fails"
        mistakes.add(case.path(), f'hidden case "{case.name}" has no hint', help)


def _check_layout(spec: ProblemFile, case: MergedCase, mistakes: Mistakes) -> None:
    for name, layout in case.settings.layout.items():
        path = case.path("layout", name)
        given = spec.inputs.get(name)
        if given is None and not mistakes.touched("inputs", name):
            mistakes.unknown(path, "input", tensor_names(spec))
        if isinstance(given, ScalarInputFile):
            mistakes.add_at_key(path, f'input "{name}" is a scalar, which has no layout')
        if not isinstance(layout, ExpandedFile) or not isinstance(given, TensorInputFile):
            continue
        axes = [size.text for size in given.shape]
        if layout.expanded not in axes and not mistakes.touched("inputs", name):
            mistakes.unknown_value((*path, "expanded"), "axis", layout.expanded, axes)


def _check_gradients(spec: ProblemFile, case: MergedCase, mistakes: Mistakes) -> None:
    for index, name in enumerate(case.settings.gradients):
        path, given = case.path("gradients", index), spec.inputs.get(name)
        if given is None and not mistakes.touched("inputs", name):
            mistakes.unknown_value(path, "input", name, tensor_names(spec))
        if isinstance(given, ScalarInputFile):
            mistakes.add(path, f'input "{name}" is a scalar, which has no gradient')
        if isinstance(given, TensorInputFile):
            dtype = given.dtype or case.settings.dtype
            if dtype not in FLOATING:
                mistakes.add(path, f'input "{name}" is {dtype}, which has no gradient')


def _check_fills_given(spec: ProblemFile, case: MergedCase, mistakes: Mistakes) -> None:
    """Check that each input that must be given is, and that nothing else is."""
    fills = case.settings.inputs
    for name, given in spec.inputs.items():
        optional = isinstance(given, ScalarInputFile) and given.default is not None
        silent = mistakes.touched("inputs", name) or case.has_gap(mistakes, "inputs", name)
        if name not in fills and not optional and not silent:
            message = f'case "{case.name}" does not say how input "{name}" is made'
            mistakes.add(case.path(), message, "add it to the case's inputs or to the defaults")
    for name in fills:
        if name not in spec.inputs and not mistakes.touched("inputs", name):
            mistakes.unknown(case.path("inputs", name), "input", spec.inputs)


def _check_meta(case: MergedCase, mistakes: Mistakes) -> None:
    for key in ("expected", "gradients"):
        if case.settings.device == "meta" and getattr(case.settings, key):
            message = f"a case on meta has no values, so no {key} to compare"
            mistakes.add(case.path(key), message)


def _check_fills(spec: ProblemFile, case: MergedCase, call: Call) -> None:
    for name, fill in case.settings.inputs.items():
        path = case.path("inputs", name)
        if isinstance(spec.inputs.get(name), ScalarInputFile):
            check_scalar(call, path, fill)
        elif name in call.shapes:
            check_tensor(call, path, name, fill)


def _check_expected(spec: ProblemFile, case: MergedCase, mistakes: Mistakes) -> None:
    for name, values in case.settings.expected.items():
        path = case.path("expected", name)
        output = spec.outputs.get(name)
        if output is None:
            if not mistakes.touched("outputs", name):
                mistakes.unknown((*path[:-1], name), "output", spec.outputs)
            continue
        if mistakes.touched("outputs", name):
            continue
        try:
            sizes = sizes_of(output.shape, case.settings.dims)
        except ExpressionError:
            continue  # told already, of the dims
        if difference := misfit(values, sizes):
            mistakes.add((*path, *difference[0]), f'{difference[1]} in output "{name}"')
