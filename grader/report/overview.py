"""A problem in facts, for a terminal: signature, arguments, results, and the public cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from grader.problem.expressions import Expression
from grader.problem.model import Case, Constant, Output, Problem, TensorInput, Values
from grader.report.layout import Hanging, stacked
from grader.report.parts import heading
from grader.report.text import clean, plural, points

VALUES_LIMIT = 200
"""Longer explicit values are cut, and the cut is stated."""


def render_overview(problem: Problem) -> RenderableType:
    """What a learner must know of the spec, without the hidden cases."""
    return _Overview(problem)


@dataclass(frozen=True, slots=True)
class _Overview:
    problem: Problem

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        problem = self.problem
        public = [case for case in problem.cases if case.visibility == "public"]
        hidden = len(problem.cases) - len(public)
        yield from stacked(
            [
                [heading("Signature"), Hanging(Text("  "), Text(problem.signature))],
                [heading("Arguments"), *_arguments(problem)],
                [heading("Returns"), *_returns(problem)],
                [heading("Public cases"), *(line for case in public for line in _case(case))]
                if public
                else [],
                [Hanging(Text(), Text(_total(problem, hidden)))],
            ]
        )


def _arguments(problem: Problem) -> Iterator[RenderableType]:
    width = max((len(argument.name) for argument in problem.inputs), default=0)
    for argument in problem.inputs:
        if isinstance(argument, TensorInput):
            text = _shape(argument.axes, argument.dtype)
        else:
            text = "number" if argument.default is None else f"number, default {argument.default:g}"
        yield Hanging(Text(f"  {argument.name:<{width}}  "), Text(text))


def _returns(problem: Problem) -> Iterator[RenderableType]:
    if problem.returns == "tensor":
        yield Hanging(Text("  "), Text(f"a tensor {_output(problem.outputs[0])}"))
        return
    yield Text("  a dict with exactly these keys")
    width = max(len(output.name) for output in problem.outputs)
    for output in problem.outputs:
        yield Hanging(Text(f"  {output.name:<{width}}  "), Text(_output(output)))


def _output(output: Output) -> str:
    text = _shape(tuple(size.text for size in output.shape), output.dtype)
    return f"{text}, sums to one over {output.sums_to_one}" if output.sums_to_one else text


def _shape(axes: tuple[str, ...], dtype: str | None) -> str:
    text = f"[{', '.join(axes)}]"
    return f"{text} of {dtype}" if dtype else text


def _case(case: Case) -> Iterator[RenderableType]:
    sizes = ", ".join(f"{name} {size}" for name, size in case.dims.items())
    facts = [f"{points(case.points)} points", case.dtype, sizes]
    facts += [f"gradients of {', '.join(case.gradients)}"] if case.gradients else []
    yield Hanging(Text("  "), Text(case.name, style="bold"))
    yield Hanging(Text("    "), Text("; ".join(fact for fact in facts if fact)))
    for name, fill in case.fills.items():
        text = _given(fill.distribution) if not fill.edits else ""
        if text:
            yield Hanging(Text(f"    {name} = "), Text(text))
    for name, values in case.expected.items():
        yield Hanging(Text(f"    expected {name} = "), Text(_given(values)))


def _given(distribution: object) -> str:
    """Values that the spec states; what is drawn at random has none to show."""
    if isinstance(distribution, Constant):
        return _short(distribution.value.text)
    if isinstance(distribution, Values):
        return clean(_nested(distribution.values), VALUES_LIMIT)
    return ""


def _nested(value: object) -> str:
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_nested, value))}]"
    return _short(value.text if isinstance(value, Expression) else str(value))


def _short(text: str) -> str:
    """A number to six significant digits; an expression as it was written."""
    try:
        return f"{float(text):.6g}"
    except ValueError:
        return text


def _total(problem: Problem, hidden: int) -> str:
    text = plural(len(problem.cases), "case")
    text += f", {hidden} of them hidden" if hidden else ""
    return f"{text}; {points(problem.points)} points"
