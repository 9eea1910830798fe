"""A problem's known mistakes for a terminal: one of them explained, or all of them by stage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from grader.problem.model import CONTRACT, Problem, StageText, Trap
from grader.report.layout import Hanging, stacked
from grader.report.parts import heading
from grader.report.statement import with_math

_CONTRACT_TEXT = StageText("what a call returns, and what it leaves behind")


def render_explanation(problem: Problem, trap: Trap) -> RenderableType:
    """A mistake: what happens, why it is wrong, the wrong step beside the right one, a hint."""
    return _Explanation(problem, trap)


def render_traps(problem: Problem) -> RenderableType:
    """The ids of all known mistakes with their titles, stage by stage."""
    return _Traps(problem)


@dataclass(frozen=True, slots=True)
class _Explanation:
    problem: Problem
    trap: Trap

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        problem, trap = self.problem, self.trap
        yield from stacked(
            [
                [
                    Hanging(Text(), Text(with_math(trap.title), style="bold")),
                    Hanging(Text("stage "), _stage_line(problem, trap.stage)),
                ],
                _paragraph("What happens", trap.effect),
                _paragraph("Why it is wrong", trap.why),
                _formulas(_text_of(problem, trap.stage).formula, trap.formula),
                _paragraph("Hint", trap.hint),
            ]
        )


@dataclass(frozen=True, slots=True)
class _Traps:
    problem: Problem

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        traps = self.problem.traps.values()
        width = max((len(trap.id) for trap in traps), default=0)
        blocks: dict[str, list[RenderableType]] = {}
        for stage in _stages(self.problem):
            blocks[stage] = [Hanging(Text(), _stage_line(self.problem, stage))]
        for trap in traps:
            prefix = Text(f"  {trap.id:<{width}}  ")
            blocks[trap.stage].append(Hanging(prefix, Text(with_math(trap.title))))
        yield from stacked(blocks.values())


def _stages(problem: Problem) -> list[str]:
    """The stages that traps are at: in the order of their texts, the contract last."""
    found = dict.fromkeys([*problem.stages, *(trap.stage for trap in problem.traps.values())])
    return sorted(found, key=lambda stage: stage == CONTRACT)


def _text_of(problem: Problem, stage: str) -> StageText:
    if stage == CONTRACT:
        return _CONTRACT_TEXT
    return problem.stages.get(stage, StageText(""))


def _stage_line(problem: Problem, stage: str) -> Text:
    """`keys: each source by its size`; the name alone where it has no text."""
    title = with_math(_text_of(problem, stage).title)
    line = Text(stage, style="bold")
    return line.append(f": {title}", "not bold") if title else line


def _paragraph(title: str, text: str) -> list[RenderableType]:
    """A heading and a text below it; nothing where there is no text."""
    return [heading(title), Hanging(Text("  "), Text(with_math(text)))] if text else []


def _formulas(right: str, wrong: str) -> list[RenderableType]:
    """The two steps, one under the other; nothing where neither is known."""
    lines = list(_formula_lines(right, wrong))
    return [heading("Formula"), *lines] if lines else []


def _formula_lines(right: str, wrong: str) -> Iterator[RenderableType]:
    for word, formula, style in (("right", right, "green"), ("wrong", wrong, "red")):
        if formula:
            yield Hanging(Text(f"  {word}  ", style), Text(with_math(formula)))
