"""The pytest plugin, as it is used: pytest runs as a process of its own, in a course's folder."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader import pytest_plugin
from tests.grading.grading_files import ROOT
from tests.grading.grading_toy import RIGHT, WRONG
from tests.testing.testing_course import make_course

pytest_plugins = "pytester"

HERMIT = """\
import os, sys
if "pytest" in sys.modules:
    os._exit(7)  # imported where pytest is
"""
ITEM = "problems/toy/problem.yaml"

Run = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs pytest in a folder with `problems/toy`, `mine.py` (wrong) and `hers.py` (right)."""
    make_course(pytester.path)
    (pytester.path / "mine.py").write_text(HERMIT + WRONG)
    (pytester.path / "hers.py").write_text(HERMIT + RIGHT)
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("COLUMNS", "120")
    plugin = ("-p", "grader.pytest_plugin", "-W", "error")
    return lambda *words: pytester.runpytest_subprocess(*plugin, *words)


def listed(result: pytest.RunResult) -> list[str]:
    """The items that `--collect-only -q` names."""
    return [line for line in result.outlines if "::" in line]


def test_each_case_is_a_test(run: Run) -> None:
    """It passes, fails with what the report says, or is skipped with the reason."""
    result = run("problems", "--solution", "mine.py", "-rs", "--junitxml=told.xml", "-v")
    result.assert_outcomes(passed=2, failed=4, skipped=3)
    result.stdout.fnmatch_lines(
        [
            "grader: seed *, sandbox auto, audience instructor",
            f"{ITEM}::small FAILED*",
            f"{ITEM}::no rows PASSED*",
            "* toy: small *",
            "wrong answer: shared over the rows.",
            "mine.py * cpu * seed *",
            "Why it fails",
            "*Which axis[?]",
            '*"shares": y.softmax(0)}',
            'Case "small"',
            "  `shares`: 6 of 6 values *",
            f"repeat: pytest {ITEM}::small --solution mine.py --grader-seed *",
            f'SKIPPED * {ITEM}:*: needs "small", which failed.',
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert "items.py" not in result.stdout.str()
    told = {each.get("name"): each for each in ElementTree.parse("told.xml").iter("testcase")}
    failure = told["small"].find("failure")
    assert failure is not None
    assert failure.get("message") == "wrong answer: shared over the rows."
    kept = {each.get("name"): each.get("value") for each in told["small"].iter("property")}
    assert (kept["verdict"], kept["points"], kept["max_points"]) == ("wrong_answer", "0", "2")
    assert told["turned"].find("skipped") is not None


def test_only_what_is_selected_is_graded(run: Run) -> None:
    """With `-x` no more is run, and a case that needs one that fails, and is alone, fails."""
    result = run("problems", "--solution", "mine.py", "-x", "-k", "turned or before")
    result.assert_outcomes(failed=1, deselected=7)
    result.stdout.fnmatch_lines(["* wrong answer  0/2  small *", '*needs "small", which failed.'])
    result.stdout.no_fnmatch_line("*secret*")


def test_a_learner_sees_no_hidden_values(run: Run) -> None:
    """Only the hint; and the command that repeats it keeps it so."""
    Path("mine.py").write_text(RIGHT.replace("factor *", "1.5 * factor *"))
    options = ("--grader-audience", "learner", "--grader-seed", "5")
    result = run(f"{ITEM}::secret", "--solution", "mine.py", *options)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["wrong answer: Mind the rows.", "repeat: *--grader-seed 5 --grader-audience learner"]
    )
    result.stdout.no_fnmatch_line("*expected*actual*")


def test_what_is_no_failure_of_a_case_is_an_error(run: Run) -> None:
    """A file that cannot be loaded, and a problem whose reference is broken."""
    Path("none.py").write_text("import nothing_of_this_name\ndef toy(x): ...\n")
    words = ("problems", "--solution", "none.py", "--solution", "solutions", "-k", "small")
    result = run(*words)
    result.assert_outcomes(passed=1, errors=1, deselected=16)
    result.stdout.fnmatch_lines(["not loadable: importing the file *"])
    Path("solutions/toy.py").write_text("def toy(**given): raise KeyError('no')\n")
    result = run("problems", "-k", "small")
    result.assert_outcomes(errors=1, deselected=8)
    result.stdout.fnmatch_lines(['the problem "toy" is broken: the reference raised *'])
    assert "Traceback" not in result.stdout.str()


def test_several_solutions_have_their_names(run: Run) -> None:
    """A folder gives those that define the function; one alone needs no name."""
    result = run("problems", "--solution", ".", "--collect-only", "-q", "-k", "small")
    assert listed(result) == [f"{ITEM}::hers.py::small", f"{ITEM}::mine.py::small"]
    result = run("problems", "--solution", "hers.py", "--collect-only", "-q", "-k", "small")
    assert listed(result) == [f"{ITEM}::small"]


def test_a_problem_is_collected_where_pytest_is_pointed_at_it(run: Run) -> None:
    """Its file, its folder, or `problems`; any below the paths with `--solution`."""
    for paths in (["problems"], ["problems/toy"], [ITEM], [".", "--solution", "mine.py"]):
        assert len(listed(run(*paths, "--collect-only", "-q"))) == 9, paths


def test_other_projects_are_left_alone(run: Run) -> None:
    """A file of that name elsewhere is not read, and torch is not imported."""
    Path("tests/other").mkdir(parents=True)
    Path("tests/other/problem.yaml").write_text("name: of another kind\n")
    Path("tests/test_light.py").write_text(
        "import sys\n"
        "def test_light():\n"
        "    heavy = {'torch', 'numpy', 'pydantic', 'yaml', 'rich', 'grader.testing'}\n"
        "    assert not heavy & sys.modules.keys()\n"
    )
    run().assert_outcomes(passed=1)
    run("tests").assert_outcomes(passed=1)


def test_a_broken_problem_is_a_collection_error(run: Run) -> None:
    """With the place of each mistake, as seen from here, and no traceback of ours."""
    spec = Path(ITEM)
    spec.write_text(spec.read_text().replace("level: easy", "level: eazy"))
    result = run("problems", "--solution", "mine.py")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([f"{ITEM}:4:8: *", '  help: did you mean "easy"[?]'])
    assert "Traceback" not in result.stdout.str()


def test_a_solution_of_no_problem_is_an_error(run: Run) -> None:
    """It would be overlooked. Where one problem is meant, it is graded, and told why."""
    Path("other.py").write_text("def other(): ...\n")
    result = run("problems", "--solution", "other.py", "--solution", "hers.py", "-k", "none")
    result.assert_outcomes(errors=1, deselected=9)
    result.stdout.fnmatch_lines(
        ["--solution other.py: it defines none of the functions asked for: `toy`"]
    )
    Path("empty").mkdir()
    result = run("empty", "--solution", "other.py")
    result.stdout.fnmatch_lines(["*there is no problem.yaml below the given paths"])
    assert len(listed(run(ITEM, "--solution", "other.py", "--collect-only", "-q"))) == 9


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--solution", "nowhere.py"], "*--solution: nowhere.py: no such file or directory"),
        (["--solution", "problems"], "*--solution: problems has no solutions: *"),
        (["--grader-seed", "-1"], '*"-1" is not a whole number from 0 to *'),
        (["--grader-audience", "all"], "*invalid choice: 'all'*"),
    ],
)
def test_a_wrong_option_ends_pytest(run: Run, words: list[str], message: str) -> None:
    """Before anything is collected, with its exit code for usage."""
    result = run("problems", *words)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_workers_share_the_seed() -> None:
    """pytest-xdist hands it from the controller to each."""
    option = SimpleNamespace(getoption=lambda name: None, stash=pytest.Stash())
    node = SimpleNamespace(config=option, workerinput={})
    pytest_plugin.pytest_configure_node(node)
    worker = SimpleNamespace(**vars(option) | {"stash": pytest.Stash()}, workerinput=None)
    worker.workerinput = node.workerinput
    assert pytest_plugin._seed(worker) == pytest_plugin._seed(option)  # type: ignore[arg-type]


def test_with_xdist_each_worker_grades(run: Run) -> None:
    """Every case once, and all with one seed."""
    pytest.importorskip("xdist")
    words = ("--solution", "mine.py", "--junitxml=told.xml", "--dist", "load", "-n", "2")
    result = run("-p", "xdist", "problems", *words)
    result.assert_outcomes(passed=2, failed=4, skipped=3)
    properties = ElementTree.parse("told.xml").iter("property")
    assert len({each.get("value") for each in properties if each.get("name") == "seed"}) == 1
