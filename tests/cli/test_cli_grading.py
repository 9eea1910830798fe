"""`grade` and `check`: arguments in, output and exit code out; the grader is a fake."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.cli import devices, grading, main, problems, startup
from grader.cli.grading import open_server as real_open_server
from grader.sandbox.failure import SandboxUnavailable
from tests.cli.cli_fakes import FakeGrader

GOOD = "def softmax_of(x): ..."
BAD = "def softmax_of(x): ...  # wrong_answer"


@pytest.fixture
def good(fake_grader: FakeGrader, workplace: Path) -> Path:
    path = workplace / "good.py"
    path.write_text(GOOD)
    return path


@pytest.fixture
def course(fake_grader: FakeGrader, workplace: Path) -> Path:
    """Three solutions, the second one wrong."""
    folder = workplace / "course"
    folder.mkdir()
    for name, text in (("a.py", GOOD), ("b.py", BAD), ("c.py", GOOD)):
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("text", "code"),
    [(GOOD, 0), (BAD, 1), (f"{GOOD} # not_loadable", 1), (f"{GOOD} # judge_error", 4)],
)
def test_the_exit_code_is_the_verdict(
    good: Path, text: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 accepted, 1 not, 4 when the grader failed."""
    good.write_text(text)
    assert main(["grade", "good.py"]) == code
    out, err = capsys.readouterr()
    assert "A problem" in out
    assert err == ""


def test_the_request_carries_the_options(good: Path, fake_grader: FakeGrader) -> None:
    """Seed, case, device, jobs and sandbox arrive."""
    words = ["--seed", "7", "--device", "cpu", "--jobs", "3", "--sandbox", "strict", "--case"]
    assert main(["grade", "good.py", *words, "secret"]) == 0
    (request,) = fake_grader.requests
    assert (request.seed, request.cases, request.device) == (7, ("secret",), "cpu")
    assert not request.public_only
    assert (fake_grader.jobs, fake_grader.server) == (3, "strict cpu")


def test_a_fresh_seed_is_taken_and_printed(
    good: Path, fake_grader: FakeGrader, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two runs differ, and each can be repeated."""
    main(["grade", "good.py"])
    first = fake_grader.requests[0].seed
    main(["grade", "good.py"])
    assert first != fake_grader.requests[0].seed
    assert f"seed {first}" in capsys.readouterr().out


def test_the_command_that_repeats_has_the_options_given(
    good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Pasted, it does the same again."""
    good.write_text(BAD)
    main(["grade", "good.py", "--seed", "5", "--problem", "softmax", "--sandbox", "none"])
    assert capsys.readouterr().out.splitlines()[-1] == (
        "repeat: python cli.py grade good.py --problem softmax --sandbox none --seed 5 "
        '--case "worked example"'
    )


def test_check_runs_public_cases_for_a_learner(
    good: Path, fake_grader: FakeGrader, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its command to repeat is a check again."""
    good.write_text(BAD)
    assert main(["check", "good.py"]) == 1
    assert fake_grader.requests[0].public_only
    assert "repeat: python cli.py check good.py --seed" in capsys.readouterr().out


def test_json_is_one_object_and_nothing_else(
    good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """For one solution the object is its report."""
    assert main(["grade", "good.py", "--json", "--seed", "5"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["seed"], document["verdict"], document["score"]) == (5, "accepted", 5)


def test_json_of_a_folder_is_a_list(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where some are not accepted."""
    assert main(["grade", "course", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["format_version"] == 1
    verdicts = [solution["verdict"] for solution in document["solutions"]]
    assert verdicts == ["accepted", "wrong_answer", "accepted"]


def test_a_folder_is_a_line_each_and_a_summary(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last line shows the first failure."""
    assert main(["grade", "course", "--seed", "5"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["✓", "✗", "✓"]
    assert lines[-2] == "3 solutions: 2 accepted, 1 wrong answer; 10 of 15 points"
    assert lines[-1].startswith("repeat: python cli.py grade course/b.py --seed 5")


def test_a_file_without_a_problem_is_a_warning_in_a_folder(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others are graded; the whole is not accepted."""
    (course / "b.py").write_text("def unrelated(): ...")
    assert main(["grade", "course"]) == 1
    out, err = capsys.readouterr()
    assert "2 solutions: 2 accepted, 1 not graded" in out
    assert err.startswith("warning: not graded: course/b.py defines no function")


def test_a_folder_without_any_problem_is_an_error(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing could be graded: exit 2, and no document."""
    for path in course.iterdir():
        path.write_text("")
    assert main(["grade", "course", "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "none of the files could be graded" in err


def test_an_interrupt_leaves_a_partial_summary(
    course: Path, fake_grader: FakeGrader, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 130, what was graded is said, and a file is not half written."""
    fake_grader.interrupt_after = 1
    (course.parent / "x.json").write_text("old")
    assert main(["grade", "course", "--report", "x.json"]) == 130
    out, err = capsys.readouterr()
    assert "interrupted: 2 of 3 solutions left ungraded" in out
    assert err == "warning: interrupted\nwarning: x.json was not written\n"
    assert (course.parent / "x.json").read_text() == "old"
    assert sorted(path.name for path in course.parent.iterdir()) == ["course", "problems", "x.json"]


def test_an_interrupted_document_is_whole(
    course: Path, fake_grader: FakeGrader, capsys: pytest.CaptureFixture[str]
) -> None:
    """The JSON on stdout is closed."""
    fake_grader.interrupt_after = 2
    assert main(["grade", "course", "--json"]) == 130
    assert len(json.loads(capsys.readouterr().out)["solutions"]) == 2


def test_a_report_file_is_written_beside_the_terminal(
    good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same report in both; several files may be asked for."""
    assert main(["grade", "good.py", "--report", "x.json", "--report", "y.json"]) == 0
    assert json.loads(Path("x.json").read_text())["verdict"] == "accepted"
    assert Path("x.json").read_text() == Path("y.json").read_text()
    assert "A problem" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--report", "x.html"], ".html is not supported yet, only .json"),
        (["--report", "x.doc"], "none of the known suffixes"),
        (["--report", "no/x.json"], "the folder no does not exist"),
        (["--report", "dir.json"], "is a folder"),
        (["--seed", "-1"], "is not a whole number from 0"),
        (["--seed", str(2**63)], "is not a whole number from 0"),
        (["--jobs", "0"], "is not a whole number from 1"),
        (["--problem", "softmaxx"], 'did you mean "softmax"?'),
        (["--case", "worked exmple"], 'did you mean "worked example"?'),
        (["--device", "gpu"], "invalid choice: 'gpu'"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
    ],
)
def test_bad_options_are_plain_errors(
    good: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, a message on stderr, nothing on stdout, nothing graded."""
    Path("dir.json").mkdir()
    assert main(["grade", "good.py", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def test_check_knows_public_cases_only(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A hidden case cannot be asked for by name."""
    assert main(["check", "good.py", "--case", "secret"]) == 2
    assert 'has no public case "secret"' in capsys.readouterr().err


def test_cuda_without_a_device_grades_nothing(
    good: Path, fake_grader: FakeGrader, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 4, never a grade of 0."""
    assert main(["grade", "good.py", "--device", "cuda"]) == 4
    assert fake_grader.requests == []
    assert "no CUDA device is available" in capsys.readouterr().err


def test_auto_takes_cuda_when_there_is_one(
    good: Path, fake_grader: FakeGrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the CPU otherwise."""
    main(["grade", "good.py"])
    assert fake_grader.requests[0].device == "cpu"
    monkeypatch.setattr(devices, "_cuda_is_available", lambda: True)
    main(["grade", "good.py"])
    assert fake_grader.requests[0].device == "cuda"


def test_a_sandbox_that_cannot_be_had_is_exit_4(
    good: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its reason; no document is begun."""

    class Weak:
        def settle(self, mode: str, **_: object) -> None:
            raise SandboxUnavailable(f"{mode} needs namespaces")

    monkeypatch.setattr(grading, "open_server", real_open_server)
    monkeypatch.setattr(startup.Start, "server", lambda self: Weak())
    assert main(["grade", "good.py", ".", "--sandbox", "strict", "--json"]) == 4
    out, err = capsys.readouterr()
    assert (out, err) == ("", "error: strict needs namespaces\n")


def test_a_missing_package_is_the_environment_s_fault(
    good: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 4 and the command that mends it."""

    def without_torch(*_: object) -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(grading, "open_server", without_torch)
    assert main(["grade", "good.py"]) == 4
    assert capsys.readouterr().err == (
        'error: the package "torch" is not installed, so nothing was graded\n'
        "  help: pip install torch\n"
    )


def test_our_own_failure_is_never_a_verdict(
    good: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bug of the grader is exit 4 and no traceback, unless asked for."""
    monkeypatch.setattr(grading, "open_server", lambda *_: 1 / 0)
    assert main(["grade", "good.py"]) == 4
    assert "the grader itself failed: ZeroDivisionError" in capsys.readouterr().err
    monkeypatch.setenv("TENSOR_GRADER_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        main(["grade", "good.py"])


def test_a_problem_without_public_cases_cannot_be_checked(
    good: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is nothing to run."""
    empty = SimpleNamespace(id="softmax", cases=())
    monkeypatch.setattr(problems, "load_problem", lambda folder: empty)
    assert main(["check", "good.py"]) == 2
    assert 'the problem "softmax" has no public case' in capsys.readouterr().err
