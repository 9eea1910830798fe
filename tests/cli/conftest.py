"""A folder with two small problems, and a grader that does not run anything."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.cli import devices, grading, problems
from tests.cli.cli_fakes import FakeGrader, FakeProblem, Request, no_server

SPEC = """\
format_version: 1
id: {id}
title: Title of {id}
level: {level}
tags: [x]
entry: {entry}
"""


@pytest.fixture(autouse=True)
def _called_as_cli(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands are printed as from a checkout, however the tests were started."""
    monkeypatch.setattr(sys, "argv", ["cli.py"])


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with `problems/` of two problems."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(problems, "find_roots", lambda: (tmp_path / "problems",))
    for name, level in (("row_mean", "easy"), ("softmax", "hard")):
        folder = tmp_path / "problems" / name
        folder.mkdir(parents=True)
        spec = SPEC.format(id=name, level=level, entry=f"{name}_of")
        (folder / "problem.yaml").write_text(spec)
        (folder / "starter.py").write_text(f"def {name}_of(x):\n    raise NotImplementedError\n")
        (folder / "statement.md").write_text(f"# Title of {name}\n\nCompute $x_i$.\n")
    return tmp_path


@pytest.fixture
def fake_grader(workplace: Path, monkeypatch: pytest.MonkeyPatch) -> FakeGrader:
    """Stands in for sandbox, grading and loading; CUDA is absent."""
    grader = FakeGrader()
    batch = SimpleNamespace(Request=Request, grade_many=grader.grade_many)
    monkeypatch.setitem(sys.modules, "grader.batch", batch)
    monkeypatch.setattr(grading, "open_server", no_server)
    monkeypatch.setattr(problems, "load_problem", lambda folder: FakeProblem(folder.name))
    monkeypatch.setattr(devices, "_cuda_is_available", lambda: False)
    return grader
