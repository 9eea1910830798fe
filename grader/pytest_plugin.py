"""A pytest plugin: the cases of a problem.yaml as tests, graded as every solution is.

    pytest problems --solution mine.py            each case an item of its problem.yaml
    pytest problems                               without it, the reference is graded

A `problem.yaml` is collected where pytest is pointed at it: the file, its folder, or the folder
`problems` that its folder lies in is named, on the command line or in `testpaths`. With
`--solution`, wherever it lies below the paths. Any other file of that name is left alone.

pytest's process never imports a solution. Each is graded once, on the cases that are to run, when
the first of them is set up. pytest imports this module in every project: it must stay cheap, and
everything else waits for a problem.yaml.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from grader.testing.items import Hooks

_SPEC = "problem.yaml"
_ROOT = "problems"
_SEED = pytest.StashKey[int]()
_HOOKS = pytest.StashKey["Hooks"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("grader", "tensor grader")
    group.addoption(
        "--solution",
        dest="grader_solution",
        metavar="PATH",
        action="append",
        default=[],
        help="grade this file, or those of this folder that define the function of a problem; "
        "may be given again (default: the problem's own reference)",
    )
    group.addoption(
        "--grader-seed",
        metavar="N",
        type=_seed_number,
        help="seed of the inputs (a fresh one, which a failure tells)",
    )
    group.addoption(
        "--grader-audience",
        choices=("instructor", "learner"),
        default="instructor",
        help="who reads: a learner is told of hidden cases only their hints",
    )
    group.addoption(
        "--grader-sandbox",
        choices=("auto", "strict", "none"),
        default="auto",
        help="as in `tensor-grader grade --sandbox`",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("grader_solution"):
        _hooks(config)  # a path that cannot be graded is said before anything is collected


def pytest_report_header(config: pytest.Config) -> list[str]:
    if not config.getoption("grader_solution"):
        return []
    sandbox, audience = (config.getoption(f"grader_{name}") for name in ("sandbox", "audience"))
    first = f"grader: seed {_seed(config)}, sandbox {sandbox}, audience {audience}"
    return [first, *(f"grader: {message}" for message in _hooks(config).grading.passed_over)]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.name != _SPEC or not _is_asked_for(file_path, parent):
        return None
    from grader.testing.items import ProblemFile

    hooks, named = _hooks(parent.config), _is_named(file_path, parent)
    file = ProblemFile.from_parent(parent, path=file_path, grading=hooks.grading, named=named)
    hooks.files.append(file)
    return file


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Of pytest-xdist: all workers grade with one seed."""
    node.workerinput["grader_seed"] = _seed(node.config)


def _is_asked_for(file: Path, node: pytest.Collector) -> bool:
    """See the head of this module."""
    root = file.parent.parent
    return (
        bool(node.config.getoption("grader_solution"))
        or _is_named(file, node)
        or (root.name == _ROOT and node.session.isinitpath(root))
    )


def _is_named(file: Path, node: pytest.Collector) -> bool:
    """Whether the file or its folder was given to pytest."""
    return any(node.session.isinitpath(path) for path in (file, file.parent))


def _hooks(config: pytest.Config) -> Hooks:
    """Those of this process, made and registered when first asked for."""
    if _HOOKS not in config.stash:
        from grader.testing.grades import Grading
        from grader.testing.items import Hooks

        config.stash[_HOOKS] = Hooks(Grading(config, _seed(config)))
        config.pluginmanager.register(config.stash[_HOOKS], "tensor-grader-hooks")
    return config.stash[_HOOKS]


def _seed(config: pytest.Config) -> int:
    """As the user says, or the controller of this worker; else a fresh one, once."""
    if _SEED not in config.stash:
        from grader.cli.arguments import fresh_seed

        given: int | None = config.getoption("grader_seed")
        told: Mapping[str, Any] = getattr(config, "workerinput", {})
        fresh = int(told.get("grader_seed", fresh_seed()))
        config.stash[_SEED] = fresh if given is None else given
    return config.stash[_SEED]


def _seed_number(text: str) -> int:
    from grader.cli.arguments import MAX_SEED

    if not (text.isascii() and text.isdecimal() and int(text) <= MAX_SEED):
        raise argparse.ArgumentTypeError(f'"{text}" is not a whole number from 0 to {MAX_SEED}')
    return int(text)
