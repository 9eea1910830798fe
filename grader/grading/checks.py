"""Checks of one answer against what it should be, in the order in which a reader would ask.

Is it the right kind of thing, under the right names; then for each output shape, dtype, device,
values; then whether inputs were left alone, and gradients. One wrong output does not keep the
others from being looked at. Every check returns findings and the largest error over its tolerance.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from torch import Tensor

from grader.grading.exam import PreparedCall, Target, coarser_tolerance, gradient_scale
from grader.grading.names import ALIKE, a
from grader.grading.values import check_gradient, check_values
from grader.problem.model import Problem
from grader.problem.names import closest
from grader.results import Finding
from grader.sandbox.messages import (
    Answer,
    DictValue,
    OtherValue,
    PlainValue,
    SequenceValue,
    TensorValue,
    Value,
)
from grader.tensors.compare import compare, find_permutation, shape_relation


@dataclass(frozen=True, slots=True)
class Checked:
    """What the checks of one call saw. `tensors` are the outputs whose values could be read,
    `gradients` those that came, by input, also where they were not checked."""

    findings: tuple[Finding, ...]
    largest_ratio: float | None
    tensors: Mapping[str, TensorValue]
    gradients: Mapping[str, Tensor | None] | None = None


def check_answer(problem: Problem, prepared: PreparedCall, answer: Answer) -> Checked:
    """All checks of one answer."""
    named, findings = _outputs(problem, answer.value)
    found, ratios = _check_outputs(prepared, named)
    findings.extend(found)
    findings.extend(_check_inputs(answer.mutated))
    if answer.gradients is not None and not findings:
        found, ratio = _check_gradients(problem, prepared, answer)
        findings.extend(found)
        ratios.append(ratio)
    read = named or _in_place_of_names(prepared, answer.value)
    tensors = {n: v for n, v in read.items() if isinstance(v, TensorValue) and v.data is not None}
    return Checked(tuple(findings), max(ratios, default=None), tensors, answer.gradients)


def _in_place_of_names(prepared: PreparedCall, value: Value) -> dict[str, Value]:
    """What a sequence of all outputs in order holds: its values tell something all the same."""
    if not isinstance(value, SequenceValue) or len(value.items) != len(prepared.targets):
        return {}
    pairs = list(zip(prepared.targets, value.items, strict=True))
    fit = all(isinstance(v, TensorValue) and v.shape == target.shape for target, v in pairs)
    return {target.output.name: v for target, v in pairs} if fit else {}


def _check_outputs(
    prepared: PreparedCall, named: Mapping[str, Value]
) -> tuple[list[Finding], list[float]]:
    """Each output by itself; where one is wrong, whether two were only exchanged."""
    findings: list[Finding] = []
    ratios: list[float] = []
    for target in prepared.targets:
        if target.output.name in named:
            value = named[target.output.name]
            found, ratio = _check_output(target, value, prepared.call.device)
            findings.extend(found)
            ratios.extend([] if ratio is None else [ratio])
    swapped = _swapped(prepared.targets, named) if findings else None
    return ([swapped], ratios) if swapped else (findings, ratios)


def check_devices(problem: Problem, prepared: PreparedCall, answer: Answer) -> Checked:
    """Only where the outputs lie; shapes made without values say nothing."""
    named, findings = _outputs(problem, answer.value)
    findings += [
        finding
        for target in prepared.targets
        if isinstance(value := named.get(target.output.name), TensorValue)
        for finding in _check_device(target, value, prepared.call.device)
    ]
    return Checked(tuple(findings), None, {})


def _outputs(problem: Problem, value: Value) -> tuple[dict[str, Value], list[Finding]]:
    """The outputs by name, as far as they are there; findings about the whole."""
    names = [output.name for output in problem.outputs]
    if problem.returns == "tensor":
        if isinstance(value, TensorValue):
            return {names[0]: value}, []
        return {}, [_not_a_tensor(names[0], value, whole=True)]
    if not isinstance(value, DictValue):
        return {}, [_not_a_dict(value, names)]
    found = dict(value.items)
    return found, list(_check_keys(names, list(found)))


def _not_a_dict(value: Value, names: Sequence[str]) -> Finding:
    keys = " and ".join(f"`{name}`" for name in names)
    helps = {
        "none": "did you forget `return`?",
        "tuple": f"return a dict with the keys {keys}.",
        "list": f"return a dict with the keys {keys}.",
    }
    kind, words = _describe(value)
    expected = f"return a dict with the keys {keys}."
    return Finding(
        "type", f"returned {words}, expected a dict.", helps.get(kind, expected), kind=kind
    )


def _describe(value: Value) -> tuple[str, str]:
    """The kind of a value for traps, and the value in words."""
    match value:
        case PlainValue("NoneType", _):
            return "none", "None"
        case PlainValue(kind, text):
            return "float" if kind in (
                "float",
                "int",
                "bool",
            ) else "other", f"{a(kind)} ({text[:60]})"
        case SequenceValue(kind, items):
            return kind, f"{a(kind)} of {len(items)}"
        case TensorValue():
            return "tensor", "a tensor"
        case DictValue():
            return "dict", "a dict"
        case OtherValue("dict", text):
            return "other", f"a dict with more in it than can be read ({text})"
        case OtherValue(kind, text):
            return _other_kind(value), f"{a(kind)}{f' ({text})' if text else ''}"


def _other_kind(value: OtherValue) -> str:
    if value.type.startswith("numpy."):
        return "numpy"
    if value.type.endswith(".Parameter"):
        return "parameter"
    return "subclass" if value.text.startswith("shape ") else "other"


def _check_keys(expected: list[str], actual: list[str]) -> Iterator[Finding]:
    missing = [name for name in expected if name not in actual]
    extra = [name for name in actual if name not in expected]
    for name in list(missing):
        near = closest(name, extra, ALIKE)
        if near is not None:
            missing.remove(name)
            extra.remove(near)
            yield Finding(
                "keys",
                f'the key is "{near}", expected "{name}".',
                "rename the key.",
                name,
                "misspelled",
            )
    for name in missing:
        yield Finding(
            "keys", f'the key "{name}" is missing.', f'return "{name}" as well.', name, "missing"
        )
    for name in extra[:5]:
        message = f'the key "{name}" is not asked for.'
        yield Finding("keys", message, "return exactly the statement's keys.", None, "extra")


def _swapped(targets: Sequence[Target], named: Mapping[str, Value]) -> Finding | None:
    """Two outputs, each right under the other's name."""
    for one, other in itertools.combinations(targets, 2):
        first, second = one.output.name, other.output.name
        if _fits(other, named.get(first)) and _fits(one, named.get(second)):
            return Finding(
                "keys",
                f"`{first}` holds the values of `{second}`, and the other way round.",
                "exchange the two.",
                kind="swapped",
            )
    return None


def _fits(target: Target, value: Value | None) -> bool:
    if not isinstance(value, TensorValue) or value.data is None or target.values is None:
        return False
    if value.shape != target.shape:
        return False
    return compare(value.data, target.values, target.tolerance, target.scale).passed


def _check_output(target: Target, value: Value, device: str) -> tuple[list[Finding], float | None]:
    name = target.output.name
    if not isinstance(value, TensorValue):
        return [_not_a_tensor(name, value, whole=False)], None
    if value.defect:
        return [
            Finding("type", f"`{name}` {value.defect}.", "return a plain tensor.", name, "other")
        ], None
    findings = list(_check_dtype(target, value)) + list(_check_device(target, value, device))
    shape = _check_shape(target, value)
    if shape is not None:
        return [shape, *findings], None
    if target.values is None or value.data is None:
        return findings, None
    tolerance = coarser_tolerance(target, value.dtype)
    found, ratio = check_values(target, value.data, tolerance)
    return findings + found, ratio


def _not_a_tensor(name: str, value: Value, *, whole: bool) -> Finding:
    """`whole`: the output is all that is returned."""
    kind, words = _describe(value)
    helps = {
        "numpy": "stay in torch: NumPy knows neither gradients nor devices.",
        "parameter": "return the result of the computation, a plain tensor.",
        "none": "did you forget `return`?" if whole else "every output must be a tensor.",
    }
    message = f"`{name}` is {words}, expected a torch.Tensor."
    helped = helps.get(kind, "return a torch.Tensor.")
    return Finding("type", message, helped, name, kind if whole else _INSIDE.get(kind, kind))


_INSIDE = {"none": "other", "tuple": "nested", "list": "nested", "dict": "nested"}
"""Kinds that mean another mistake for one output of several than for the whole answer."""


def _check_dtype(target: Target, value: TensorValue) -> Iterator[Finding]:
    if value.dtype != target.dtype:
        yield Finding(
            "dtype",
            f"`{target.output.name}` has dtype {value.dtype}, expected {target.dtype}.",
            "outputs have the dtype of the inputs." if target.output.dtype is None else "",
            target.output.name,
            value.dtype,
        )


def _check_device(target: Target, value: TensorValue, device: str) -> Iterator[Finding]:
    if value.device != device:
        words = f"is on {value.device}, the inputs are on {device}"
        if device == "meta":
            words = f"stays on {value.device} when the inputs are on another device"
        yield Finding(
            "device",
            f"`{target.output.name}` {words}.",
            "make every new tensor with `device=` of an input, and move none.",
            target.output.name,
            "cpu" if value.device == "cpu" else "output",
        )


def _check_shape(target: Target, value: TensorValue) -> Finding | None:
    if value.shape == target.shape:
        return None
    axes = target.output.axes
    name = target.output.name
    kind: str = shape_relation(value.shape, target.shape)
    helped = ""
    if kind == "permuted":
        order = _order(target, value)
        if order is None and target.values is not None:
            kind = "other"
        elif order is not None:
            helped = "the values are right, but the axes are in another order."
            kind = "first_axis_last" if order == (len(axes) - 1, *range(len(axes) - 1)) else kind
            if len(set(target.shape)) == len(target.shape):  # else other orders would do as well
                helped = f"{helped} Try `.permute{order}`."
    elif kind == "extra_axis":
        helped = "an axis of size one is left; was one kept for broadcasting? Try `squeeze(dim)`."
    elif kind == "unreduced_axis":
        helped = "an axis is left that should be gone; is a sum or a mean missing?"
    elif kind == "missing_axis":
        helped = "an axis is gone; was one reduced or squeezed that should stay?"
    sizes = ", ".join(f"{axis} {size}" for axis, size in zip(axes, target.shape, strict=True))
    message = (
        f"`{name}` has shape {_shape(value.shape)}, expected {_shape(target.shape)} ({sizes})."
    )
    return Finding("shape", message, helped, name, kind)


def _order(target: Target, value: TensorValue) -> tuple[int, ...] | None:
    if value.data is None or target.values is None:
        return None
    return find_permutation(value.data, target.values, target.tolerance, target.scale)


def _check_inputs(mutated: Sequence[str]) -> Iterator[Finding]:
    for name in mutated:
        yield Finding(
            "mutation",
            f"the input `{name}` was changed in place.",
            "work on a new tensor; `x += y`, `x[...] = y` and methods that end in `_` change x.",
            name,
            "input",
        )


def _check_gradients(
    problem: Problem, prepared: PreparedCall, answer: Answer
) -> tuple[list[Finding], float]:
    """Gradients, asked of an answer whose values are right."""
    if answer.backward is not None:
        told = f"{answer.backward.type}: {answer.backward.message}"
        return [
            Finding("gradient", f"the backward pass raised {told[:300]}", "", None, "error"),
        ], 0.0
    findings: list[Finding] = []
    largest = 0.0
    dtype = str(next(iter(prepared.gradients.values())).dtype).removeprefix("torch.")
    tolerance = problem.tolerances.get(prepared.targets[0].dtype, problem.tolerances[dtype])
    for name, expected in prepared.gradients.items():
        actual = (answer.gradients or {}).get(name)
        found, ratio = check_gradient(name, actual, expected, tolerance, gradient_scale(expected))
        findings.extend(found)
        largest = max(largest, ratio)
    return findings, largest


def _shape(shape: Sequence[int]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
