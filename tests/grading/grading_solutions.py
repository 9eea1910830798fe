"""The files of tests/solutions/ graded on their real problems, for the tests about them."""

from __future__ import annotations

import functools
import os
import shutil
from dataclasses import replace
from pathlib import Path

from grader.grading.exam import Exam
from grader.grading.grade import grade_solution
from grader.problem.load import load
from grader.problem.model import Problem
from grader.results import Report
from grader.sandbox.client import Server
from tests.grading.grading_files import ROOT, Promise

SEEDS = range(1, 1 + int(os.environ.get("TENSOR_GRADER_SEEDS", "1")))


@functools.cache
def problem_of(problem_id: str) -> Problem:
    return load(ROOT / "problems" / problem_id)


@functools.cache
def exam_of(problem_id: str, seed: int, *, short: bool = False) -> Exam:
    """The problem at a seed; `short`: with limits that a hostile file meets soon."""
    problem = problem_of(problem_id)
    if short:
        limits = replace(
            problem.limits, import_s=4.0, case_s=2.0, total_s=4.0, memory_mb=512, output_kb=64
        )
        problem = replace(problem, limits=limits)
    return Exam(problem, seed, "cpu")


def graded(
    promise: Promise, server: Server, folder: Path, seed: int, *, short: bool = False
) -> Report:
    """The report on a copy of the file: some overwrite or delete themselves."""
    copy = folder / promise.path.name
    shutil.copyfile(promise.path, copy)
    return grade_solution(exam_of(promise.problem, seed, short=short), copy, server)
