"""`new`: a problem that works from the first moment, or nothing at all."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from grader.cli import main, problems, scaffolding
from grader.cli.scaffolding import MOST_LETTERS, PARTS, REFERENCE
from grader.grading.computation import load_computation
from grader.grading.exam import Exam
from grader.grading.grade import grade_solution
from grader.problem.catalog import catalog
from grader.problem.load import load
from grader.problem.model import Problem
from grader.results import Report, Verdict
from grader.sandbox.client import Server, start_fresh
from tests.cli.cli_process import ROOT

ID = "cell_mean"


def tree(folder: Path) -> list[str]:
    """Everything below a folder, folders included."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def contents(folder: Path) -> dict[str, bytes | None]:
    """The bytes of each file below a folder; None of what is no file."""
    paths = {name: folder / name for name in tree(folder)}
    return {name: path.read_bytes() if path.is_file() else None for name, path in paths.items()}


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder without anything in it, and no problems beside the package."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(problems, "find_roots", roots_here)
    monkeypatch.setattr(scaffolding, "find_roots", roots_here)
    return tmp_path


def roots_here() -> tuple[Path, ...]:
    return (Path("problems"),) if Path("problems").is_dir() else ()


def test_a_problem_is_written_where_it_is_looked_for(
    empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five files, nothing else, and the last line says what to do with them."""
    assert main(["new", ID]) == 0
    home = [f"problems/{ID}/{part}" for part in PARTS]
    assert tree(empty) == sorted(
        ["problems", f"problems/{ID}", *home, "solutions", f"solutions/{ID}.py"]
    )
    lines = [f"wrote {path}" for path in [*home, f"solutions/{ID}.py"]]
    out, err = capsys.readouterr()
    assert out.splitlines() == [*lines, f"next: python cli.py audit {ID}"]
    assert err == ""


@pytest.mark.parametrize("folder", ["course/problems", "."])
def test_a_folder_of_problems_may_be_anywhere(
    empty: Path, folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is made if need be, and the reference goes beside it, where the loader looks."""
    (empty / "problems").mkdir()
    monkeypatch.chdir(empty / "problems")
    assert main(["new", ID, folder]) == 0
    problem = load(empty / "problems" / folder / ID)
    assert problem.reference.resolve() == (
        (empty / "problems" / folder).resolve().parent / "solutions" / f"{ID}.py"
    )
    assert "it is not found from here" in capsys.readouterr().err


def test_in_another_folder_the_reference_stays_inside(
    empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is written outside of the folder that was named."""
    assert main(["new", ID, "exercises"]) == 0
    assert tree(empty) == sorted(
        ["exercises", f"exercises/{ID}"]
        + [f"exercises/{ID}/{name}" for name in (*PARTS, REFERENCE)]
    )
    assert load(empty / "exercises" / ID).reference.name == REFERENCE


def test_a_link_to_a_folder_of_problems_is_followed(empty: Path) -> None:
    """The loader follows it too: the reference lies beside the folder itself."""
    (empty / "course" / "problems").mkdir(parents=True)
    (empty / "problems").symlink_to("course/problems")
    assert main(["new", ID]) == 0
    assert (empty / "course" / "solutions" / f"{ID}.py").is_file()
    assert load(empty / "problems" / ID).id == ID


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "My-Problem",
            'not a name in lower case, of letters, digits and _\n  help: did you mean "my',
        ),
        ("rowMean", 'help: did you mean "rowmean"?'),
        ("_private", 'help: did you mean "private"?'),
        ("2d_mean", "help: as in row_mean"),
        ("mean ", 'help: did you mean "mean"?'),
        ("größe", "is not a name in lower case"),
        ("../mean", 'help: did you mean "mean"?'),
        ("", '"" is not a name in lower case'),
        ("mean\n", "is not a name in lower case"),
        ("lambda", '"lambda" is a Python keyword'),
        ("null", '"null" is a word of YAML'),
        ("m" * (MOST_LETTERS + 1), f"a name has at most {MOST_LETTERS} letters"),
    ],
)
def test_a_bad_name_is_a_plain_error(
    empty: Path, name: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, a way out, and nothing is written."""
    assert main(["new", name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert tree(empty) == []


@pytest.mark.parametrize("name", ["a", "m" * MOST_LETTERS, "new_problem", "print", "x2", "values"])
def test_a_good_name_may_be_unusual(empty: Path, name: str) -> None:
    """As short or long as it may be, or that of the template itself."""
    assert main(["new", name]) == 0
    problem = load(empty / "problems" / name)
    assert (problem.id, problem.entry) == (name, name)


class TestNothingIsOverwritten:
    """All or nothing, and what was there stays as it was."""

    def refused(
        self, empty: Path, capsys: pytest.CaptureFixture[str], *words: str, message: str
    ) -> None:
        before = contents(empty)
        assert main(["new", ID, *words]) == 2
        assert contents(empty) == before
        out, err = capsys.readouterr()
        assert out == ""
        assert message in err

    def test_a_known_problem(self, empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """By its id."""
        assert main(["new", ID]) == 0
        spec = empty / "problems" / ID / "problem.yaml"
        spec.write_text("id: mine\n")
        capsys.readouterr()
        message = f'the problem "{ID}" exists already, in problems/{ID}; nothing was written'
        self.refused(empty, capsys, message=message)
        assert spec.read_text() == "id: mine\n"

    def test_a_known_function(self, workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Two problems that ask for one could not be told apart."""
        assert main(["new", "softmax_of"]) == 2
        assert 'the problem "softmax" asks for a function softmax_of' in capsys.readouterr().err
        assert not (workplace / "problems" / "softmax_of").exists()

    def test_a_folder(self, empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Even an empty one."""
        (empty / "problems" / ID).mkdir(parents=True)
        self.refused(empty, capsys, message=f"problems/{ID} exists already; nothing was written")

    def test_a_file(self, empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """In the place of the problem's folder."""
        (empty / "problems").mkdir()
        (empty / "problems" / ID).write_text("mine")
        self.refused(empty, capsys, message=f"problems/{ID} exists already")

    def test_a_dangling_link(self, empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """In the place of the reference: nothing is written where it points."""
        (empty / "solutions").mkdir()
        (empty / "solutions" / f"{ID}.py").symlink_to("elsewhere.py")
        self.refused(empty, capsys, message=f"solutions/{ID}.py exists already")

    def test_a_reference(self, empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """The folder that was made for the problem is gone again."""
        (empty / "solutions").mkdir()
        (empty / "solutions" / f"{ID}.py").write_text("mine")
        self.refused(empty, capsys, message=f"solutions/{ID}.py exists already")

    def test_no_folder(self, empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """DIR is a file."""
        (empty / "notes").write_text("")
        self.refused(empty, capsys, "notes", message="notes is not a folder; nothing was written")
        self.refused(empty, capsys, "notes/deep", message="cannot be written: not a directory")

    @pytest.mark.parametrize(
        ("method", "name"),
        [("mkdir", ID), ("open", f"{ID}.py"), ("write_text", "stages.py"), ("rename", ID)],
    )
    def test_a_failure_on_the_way(
        self,
        empty: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        method: str,
        name: str,
    ) -> None:
        """Of whatever step: all is as before."""
        monkeypatch.setattr(Path, method, full_at(name, getattr(Path, method)))
        self.refused(empty, capsys, message="cannot be written: no space left on device")

    def test_an_interrupt(self, empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Exit 130."""

        def interrupted(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(Path, "rename", interrupted)
        assert main(["new", ID]) == 130
        assert tree(empty) == []


def full_at(name: str, method: Callable[..., object]) -> Callable[..., object]:
    """The method of Path, on a disk that is full when it comes to a file of this name."""

    def failing(self: Path, *args: object, **options: object) -> object:
        if self.name == name:
            raise OSError(errno.ENOSPC, "No space left on device", str(self))
        return method(self, *args, **options)

    return failing


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Problem:
    """The problem, as `new` leaves it."""
    folder = tmp_path_factory.mktemp("new") / "problems"
    scaffolding.scaffold(ID, folder)
    return load(folder / ID)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with start_fresh().settle("auto") as started:
        yield started


def graded(problem: Problem, path: Path, server: Server) -> Report:
    return grade_solution(Exam(problem, 1, "cpu"), path, server)


def test_its_reference_is_accepted(written: Problem, server: Server) -> None:
    """With every point."""
    report = graded(written, written.reference, server)
    assert (report.verdict, report.score) == (Verdict.ACCEPTED, written.points)


def test_its_starter_is_not_implemented(written: Problem, server: Server) -> None:
    """And says so."""
    report = graded(written, written.starter, server)
    assert (report.verdict, report.summary) == (Verdict.RUNTIME_ERROR, "nothing implemented yet.")


BODY = """\
    shares = weights / (weights.sum(0) + eps)
    return (shares * values).sum(0)
"""
MISTAKES = {
    "undivided_weights": (" / (weights.sum(0) + eps)", ""),
    "shares_over_width": ("weights.sum(0)", "weights.sum(-1, keepdim=True)"),
    "softmax_shares": ("weights / (weights.sum(0) + eps)", "weights.softmax(0)"),
    "eps_ignored": (" + eps", ""),
    "mean_of_products": ("values).sum(0)", "values).mean(0)"),
    "kept_axis": ("values).sum(0)", "values).sum(0, keepdim=True)"),
}


@pytest.mark.parametrize("trap", MISTAKES)
def test_its_traps_are_named(written: Problem, server: Server, tmp_path: Path, trap: str) -> None:
    """Each exactly."""
    path = tmp_path / "mine.py"
    path.write_text(f"def {ID}(values, weights, eps=1e-6):\n{BODY.replace(*MISTAKES[trap])}")
    report = graded(written, path, server)
    assert report.diagnosis is not None
    assert [each.id for each in report.diagnosis.traps] == [trap]
    assert report.diagnosis.alternatives == ()


def test_there_is_a_solution_for_each_trap(written: Problem) -> None:
    """None is left out of the test above; and the stages fit the spec."""
    assert set(MISTAKES) == set(written.traps)
    assert load_computation(written).outputs == {"mean": "mean"}


def test_the_template_leaves_no_trace_of_its_own_name(written: Problem) -> None:
    """Nor of a checkout: the spec points at the schema of this package."""
    for path in [*written.folder.iterdir(), written.reference]:
        if path.is_file():
            text = path.read_text(encoding="utf-8").lower()
            assert "new_problem" not in text
            assert "new problem" not in text
    first = (written.folder / "problem.yaml").read_text().partition("\n")[0]
    pointed = written.folder / first.partition("$schema=")[2]
    assert pointed.resolve() == ROOT / "grader" / "problem" / "problem.schema.json"


def test_a_draft_is_in_no_list(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the problem is whole nobody finds it."""
    seen: list[dict[str, Path]] = []
    rename = Path.rename

    def looking(self: Path, target: Path) -> Path:
        seen.append(catalog([empty / "problems"]))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", looking)
    assert main(["new", ID]) == 0
    assert seen == [{}]
    assert list(catalog([empty / "problems"])) == [ID]


def test_the_templates_are_a_part_of_the_package() -> None:
    """So that they are there where only the wheel is."""
    folder = files("grader").joinpath("cli", "scaffold")
    assert sorted(each.name for each in folder.iterdir() if each.is_file()) == sorted(
        (*PARTS, REFERENCE)
    )


@pytest.mark.slow
def test_the_wheel_holds_all_that_the_commands_read(tmp_path: Path) -> None:
    """Templates and schemas; built without network, where the builder is installed."""
    pytest.importorskip("hatchling", reason="the wheel is built with hatchling")
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", build, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": ""},
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"grader/cli/scaffold/{name}" for name in (*PARTS, REFERENCE)} <= names
    assert {"grader/problem/problem.schema.json", "grader/report/report.schema.json"} <= names
