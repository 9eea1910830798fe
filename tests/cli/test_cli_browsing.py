"""`list`, `show`, `hint`, `explain`, `start`, and the command line around them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.cli import main, problems, program_name
from grader.problem.model import StageText, Trap

ROOT = Path(__file__).parents[2]
REAL = "full_attention_residual"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def test_list_goes_from_easy_to_hard(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line a problem, and what to do next."""
    assert main(["list"]) == 0
    assert capsys.readouterr().out == (
        "row_mean  easy    Title of row_mean  x\n"
        "softmax   hard    Title of softmax  x\n"
        "\n"
        "next: python cli.py show ID\n"
    )


def test_a_broken_problem_does_not_hide_the_others(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is listed, and what is wrong with it goes to stderr."""
    (workplace / "problems/softmax/problem.yaml").write_text("a: [")
    assert main(["list"]) == 0
    out, err = capsys.readouterr()
    assert "Title of row_mean" in out
    assert "problem.yaml" in err


def test_a_file_finds_its_problem_by_the_entry(workplace: Path) -> None:
    """As each spec names it; a spec that cannot be read is taken to ask for its own id."""
    assert problems.entries() == {"row_mean": "row_mean_of", "softmax": "softmax_of"}
    (workplace / "problems/softmax/problem.yaml").write_text("a: [")
    assert problems.entries() == {"row_mean": "row_mean_of", "softmax": "softmax"}


def test_no_problems_is_an_error(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a word on where they are looked for."""
    monkeypatch.setattr(problems, "find_roots", lambda: ())
    assert main(["list"]) == 2
    assert "there are no problems here" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["show", "hint", "explain", "start"])
def test_an_unknown_id_names_the_nearest(
    workplace: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A slip of the keyboard is mended by the message."""
    assert main([command, "softmx"]) == 2
    assert capsys.readouterr().err == (
        'error: no problem "softmx"\n  help: did you mean "softmax"?\n'
    )


def test_an_invalid_problem_prints_every_error(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 3, each with its place."""
    assert main(["show", "softmax"]) == 3
    err = capsys.readouterr().err
    assert err.startswith('error: the problem "softmax" is invalid:\n')
    assert err.count("problem.yaml:") > 1


@pytest.fixture
def hints(workplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem with two hints."""
    made = SimpleNamespace(id="softmax", hints=("look at $x_1$", "divide"))
    monkeypatch.setattr(problems, "load_problem", lambda folder: made)


@pytest.mark.usefixtures("hints")
def test_hints_come_one_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    """The first by default, with the way to the next; the last has none."""
    assert main(["hint", "softmax"]) == 0
    assert capsys.readouterr().out == (
        "hint 1 of 2\nlook at x₁\n\nnext: python cli.py hint softmax 2\n"
    )
    assert main(["hint", "softmax", "2"]) == 0
    assert "next" not in capsys.readouterr().out


@pytest.mark.usefixtures("hints")
@pytest.mark.parametrize("number", ["3", "0", "x"])
def test_a_hint_that_is_not_there(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A usage error."""
    assert main(["hint", "softmax", number]) == 2
    assert capsys.readouterr().out == ""


@pytest.fixture
def traps(workplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem with two known mistakes, and one without any."""
    found = {
        "wrong_axis": Trap("wrong_axis", "sum", "summed over rows", "Rows are apart.", "Which?"),
        "wrong_type": Trap("wrong_type", "contract", "a tuple is returned", "Keys.", "Which?"),
    }
    monkeypatch.setattr(
        problems,
        "load_problem",
        lambda folder: SimpleNamespace(
            id=folder.name,
            stages={"sum": StageText("one number a row", "$s_i$")},
            traps=found if folder.name == "softmax" else {},
        ),
    )


@pytest.mark.usefixtures("traps")
def test_the_known_mistakes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """By stage, with the way to learn more of one."""
    assert main(["explain", "softmax"]) == 0
    assert capsys.readouterr().out == (
        "sum: one number a row\n"
        "  wrong_axis  summed over rows\n"
        "\n"
        "contract: what a call returns, and what it leaves behind\n"
        "  wrong_type  a tuple is returned\n"
        "\n"
        "next: python cli.py explain softmax TRAP\n"
    )


@pytest.mark.usefixtures("traps")
def test_a_known_mistake_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """That one alone."""
    assert main(["explain", "softmax", "wrong_axis"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("summed over rows\nstage sum: one number a row\n")
    assert "tuple" not in out


@pytest.mark.usefixtures("traps")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["softmax", "Wrong-Axis"],
            'the problem "softmax" has no known mistake "Wrong-Axis"\n'
            '  help: did you mean "wrong_axis"?',
        ),
        (
            ["softmax", "other\nthing"],
            'the problem "softmax" has no known mistake "other thing"\n'
            "  help: see all of them: python cli.py explain softmax",
        ),
        (["softmax", ""], 'has no known mistake ""\n  help: see all of them'),
        (["row_mean"], 'the problem "row_mean" has no known mistakes'),
        (["row_mean", "wrong_axis"], 'the problem "row_mean" has no known mistakes'),
    ],
)
def test_a_mistake_that_is_not_known(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A usage error, with the nearest name or the way to all of them."""
    assert main(["explain", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err


@pytest.mark.parametrize("width", ["40", "60", "100"])
@pytest.mark.parametrize("force_color", ["", "1"])
@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["show", REAL],
        ["hint", REAL, "2"],
        ["explain", REAL],
        ["explain", REAL, "layer_norm_keys"],
    ],
    ids=" ".join,
)
def test_no_line_ends_in_blanks(
    words: list[str],
    width: str,
    force_color: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """At any width, with colour and without."""
    monkeypatch.setenv("COLUMNS", width)
    monkeypatch.setenv("FORCE_COLOR", force_color)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert main(words) == 0
    out = capsys.readouterr().out
    assert ("\x1b" in out) == bool(force_color)
    assert [line for line in COLOUR.sub("", out).split("\n") if line != line.rstrip()] == []


def test_start_copies_the_starter(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Into the folder given, which is made; the next command is said."""
    assert main(["start", "softmax", "my work"]) == 0
    copied = workplace / "my work" / "softmax.py"
    assert copied.read_bytes() == (workplace / "problems/softmax/starter.py").read_bytes()
    assert capsys.readouterr().out == (
        'wrote my work/softmax.py\nnext: python cli.py check "my work/softmax.py"\n'
    )


def test_start_never_overwrites(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Work that is there is left alone."""
    (workplace / "softmax.py").write_text("my work")
    assert main(["start", "softmax"]) == 2
    assert (workplace / "softmax.py").read_text() == "my work"
    assert "softmax.py exists already" in capsys.readouterr().err


def test_start_into_a_file_is_an_error(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """DIR must be a folder."""
    (workplace / "notes").write_text("")
    assert main(["start", "softmax", "notes"]) == 2
    assert "notes is not a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["gradee"], 'no command "gradee"\n  help: did you mean "grade"?'),
        (["serve"], 'no command "serve"\n  help: the commands are grade, check'),
        (["grade"], "the following arguments are required: PATH"),
        (["list", "x"], "unrecognized arguments: x"),
    ],
)
def test_a_wrong_command_line_is_a_plain_error(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, all of it on stderr."""
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err


@pytest.mark.parametrize("words", [["--help"], ["grade", "--help"], ["--version"]])
def test_help_and_version_are_no_errors(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 0, on stdout."""
    assert main(words) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize(
    ("first", "name"),
    [
        ("cli.py", "python cli.py"),
        ("../x/cli.py", "python ../x/cli.py"),
        ("/x/grader/__main__.py", "python -m grader"),
        ("/x/bin/tensor-grader", "tensor-grader"),
        ("/x/bin/pytest", "python cli.py"),
    ],
)
def test_commands_are_named_as_they_were_called(first: str, name: str) -> None:
    """So that what is printed can be typed."""
    assert program_name(first) == name


@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        (["--help"], ("torch", "numpy", "pydantic")),
        (["list"], ("torch", "numpy", "pydantic")),
        (["show", REAL], ("torch", "numpy")),
        (["hint", REAL], ("torch", "numpy")),
        (["explain", REAL], ("torch", "numpy")),
        (["explain", REAL, "eps_ignored"], ("torch", "numpy")),
    ],
    ids=" ".join,
)
def test_quick_commands_import_nothing_heavy(words: list[str], heavy: tuple[str, ...]) -> None:
    """No torch, so that they start soon; where a problem is not checked, no pydantic either."""
    code = (
        "import sys; from grader.cli import main; main(sys.argv[2:]); "
        "sys.exit(','.join(set(sys.argv[1].split()) & set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, " ".join(heavy), *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("start", [["cli.py"], ["-m", "grader"]])
def test_both_ways_to_call_it(start: list[str]) -> None:
    """From a checkout and as a module."""
    done = subprocess.run(
        [sys.executable, *start, "--version"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("tensor-grader ")


def test_a_reader_that_leaves_early_is_no_error() -> None:
    """`| head` ends quietly."""
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} cli.py list | true"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""


def test_a_terminal_without_unicode_is_no_error() -> None:
    """Under an ASCII locale what cannot be shown is replaced."""
    problem = next(path.name for path in sorted((ROOT / "problems").iterdir()) if path.is_dir())
    done = subprocess.run(
        [sys.executable, "cli.py", "show", problem],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
