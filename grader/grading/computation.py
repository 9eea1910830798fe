"""A problem's own table of stages, loaded from its folder and held against its problem.yaml."""

from __future__ import annotations

import importlib.util

from grader.grading.oracle import ReferenceFailed
from grader.problem.model import Problem
from grader.stages import Computation

_FILE = "stages.py"


class StagesFailed(ReferenceFailed):
    """A problem's stages.py cannot be loaded, or does not fit the problem."""


def has_stages(problem: Problem) -> bool:
    return (problem.folder / _FILE).exists()


def load_computation(problem: Problem) -> Computation:
    """The COMPUTATION of the problem's stages.py. StagesFailed when it is broken."""
    path = problem.folder / _FILE
    spec = importlib.util.spec_from_file_location(f"stages_{problem.id}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        computation = module.COMPUTATION
        if not isinstance(computation, Computation):
            raise TypeError("COMPUTATION is not a Computation")
    except Exception as error:
        raise StagesFailed(f"{path}: {type(error).__name__}: {error}") from error
    inputs, outputs = ([each.name for each in some] for some in (problem.inputs, problem.outputs))
    mistakes = computation.mistakes(inputs, outputs) + _unmatched(problem, computation)
    if mistakes:
        raise StagesFailed(f"{path}: {'; '.join(mistakes)}")
    return computation


def _unmatched(problem: Problem, computation: Computation) -> list[str]:
    """Trap ids must stand in both files, at the same stage."""
    here = {choice.trap: choice.stage for choice in computation.choices()}
    there = {trap.id: trap.stage for trap in problem.traps.values() if trap.stage != "contract"}
    return [
        f'trap "{trap}" is at stage {here.get(trap)} here and {there.get(trap)} in problem.yaml'
        for trap in sorted(here.keys() | there.keys())
        if here.get(trap) != there.get(trap)
    ]
