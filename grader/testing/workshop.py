"""Where solutions are graded in a process that lives long: one warm server, exams kept."""

from __future__ import annotations

import atexit
import functools
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.grading.exam import Exam
from grader.grading.grade import grade_solution
from grader.problem.model import Problem
from grader.results import Report
from grader.sandbox.client import Server, start_fresh
from grader.sandbox.confinement import Mode
from grader.sandbox.view import exposed, readable_paths


class Workshop:
    """One fork server, started when first needed, and an exam for each problem and seed.

    On the CPU. Not thread-safe.
    """

    def __init__(self, mode: Mode = "auto") -> None:
        self._mode = mode
        self._server: Server | None = None
        self._private: frozenset[str] = frozenset()
        self._exams: dict[tuple[Path, str, int], Exam] = {}

    def exam(self, problem: Problem, seed: int) -> Exam:
        """The problem at a seed. Raises ReferenceFailed."""
        key = (problem.folder, problem.hash, seed)
        if key not in self._exams:
            self._exams[key] = Exam(problem, seed, "cpu")
        return self._exams[key]

    def grade(
        self, problem: Problem, path: Path, *, seed: int, cases: Sequence[str] | None = None
    ) -> Report:
        """Grade the file at `path`; cases: only these, and those that they need.

        Raises ReferenceFailed, and SandboxUnavailable when the server cannot be had.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a test run's `error` is not to change a verdict
            folders = (problem.folder, problem.reference.parent, path.absolute().parent)
            server = self._open(str(folder.resolve()) for folder in folders)
            return grade_solution(self.exam(problem, seed), path, server, cases=cases)

    def close(self) -> None:
        """End the server, if there is one; the next grade would start another."""
        server, self._server = self._server, None
        if server is not None:
            server.close()

    def _open(self, private: Iterable[str]) -> Server:
        """The server; started anew where it could read one of these folders.

        What is kept from solutions is said once, before the first fork, and most folders are out of
        reach anyway.
        """
        more = frozenset(private) - self._private
        if self._server is None or exposed(more, readable_paths(cuda=False)):
            self.close()
            self._private |= more
            self._server = start_fresh().settle(self._mode, private=sorted(self._private))
        return self._server


@functools.cache
def shared() -> Workshop:
    """The one that the functions of `grader.testing` share in this process."""
    made = Workshop()
    atexit.register(made.close)
    return made
