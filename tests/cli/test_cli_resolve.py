"""From PATHs to files, and from a file to its problem."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.cli.errors import CliError
from grader.cli.resolve import UngradableError, defined_names, find_problem, select

ENTRIES = {"row_mean": "row_mean_of", "softmax": "softmax_of"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.py", "a.py", "_private.py", ".hidden.py", "notes.txt", "book.ipynb"):
        (tmp_path / name).write_text("")
    (tmp_path / "folder.py").mkdir()
    return tmp_path


def test_a_folder_means_its_solutions(folder: Path) -> None:
    """The `.py` files directly in it, sorted; private ones and folders are not solutions."""
    selection = select([str(folder)])
    assert [path.name for path in selection.files] == ["a.py", "b.py"]
    assert selection.several
    assert selection.passed_over == (f"{folder / 'book.ipynb'}: notebooks are not supported yet",)


def test_a_file_named_twice_is_graded_once(folder: Path) -> None:
    """Also when the second name is its folder's; the first place counts."""
    selection = select([str(folder / "b.py"), str(folder)])
    assert [path.name for path in selection.files] == ["b.py", "a.py"]


def test_one_file_is_not_several(folder: Path) -> None:
    """It gets a whole report, and one JSON object."""
    assert not select([str(folder / "a.py")]).several


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none.py", "no such file or directory"),
        ("notes.txt", "is not a .py file"),
        ("book.ipynb", "notebooks are not supported yet"),
        ("empty", "has no solutions"),
    ],
)
def test_other_paths_are_plain_errors(folder: Path, name: str, message: str) -> None:
    """Each says what is wrong with the path."""
    (folder / "empty").mkdir()
    with pytest.raises(CliError, match=message):
        select([str(folder / name)])


@pytest.mark.parametrize(
    "source",
    [
        "def softmax_of(x): ...",
        "async  def softmax_of(x): ...",
        "class softmax_of: ...",
        "softmax_of = lambda x: x",
        "softmax_of: Callable[[Tensor], Tensor] = f",
        "import torch\r\rdef softmax_of(x): ...",
        "\ufeffdef softmax_of(x): ...",
        "x = (\n\x00def softmax_of(\ndef softmax_of(",
    ],
)
def test_a_known_function_tells_the_problem(tmp_path: Path, source: str) -> None:
    """However it is defined, and in files that no parser takes."""
    path = tmp_path / "mine.py"
    path.write_bytes(source.encode())
    assert find_problem(path, ENTRIES) == "softmax"


@pytest.mark.parametrize(
    "source",
    ["    def softmax_of(x): ...", "softmax_of == 1", "# def softmax_of(", "softmax_of()"],
)
def test_other_mentions_do_not_count(source: str) -> None:
    """Only definitions at the left margin are taken."""
    assert "softmax_of" not in defined_names(source.encode())


@pytest.mark.parametrize(
    ("name", "source", "problem"),
    [
        ("softmax.py", "", "softmax"),
        ("softmax.py", "\x00\xff", "softmax"),
        ("softmax.py", "def soft_max_of(x): ...", "softmax"),
        ("softmax.py", "def row_mean_of(x): ...", "row_mean"),
        ("softmax.py", "def row_mean_of(x): ...\ndef soft_max_of(x): ...", "softmax"),
        ("softmax.py", "def row_mean_of(x): ...\ndef softmax_of(x): ...", "softmax"),
        ("mine.py", "def soft_max_of(x): ...", "softmax"),
    ],
)
def test_name_of_the_file_and_near_names(
    tmp_path: Path, name: str, source: str, problem: str
) -> None:
    """The file's name decides where its functions do not, and helps where two would do."""
    path = tmp_path / name
    path.write_bytes(source.encode("latin-1"))
    assert find_problem(path, ENTRIES) == problem


def test_two_known_functions_need_a_word_from_the_user(tmp_path: Path) -> None:
    """The message names both problems and the option."""
    path = tmp_path / "mine.py"
    path.write_text("def row_mean_of(x): ...\ndef softmax_of(x): ...")
    with pytest.raises(UngradableError, match="of 2 problems: row_mean, softmax") as error:
        find_problem(path, ENTRIES)
    assert "--problem row_mean" in error.value.help


def test_no_known_function_names_the_problems(tmp_path: Path) -> None:
    """The message says what could have been meant."""
    path = tmp_path / "mine.py"
    path.write_text("def unrelated(x): ...")
    with pytest.raises(UngradableError, match="defines no function that a problem asks") as error:
        find_problem(path, ENTRIES)
    assert "row_mean, softmax" in error.value.help


def test_a_huge_file_is_not_read_whole(tmp_path: Path) -> None:
    """Past 1 MB a file is no solution."""
    path = tmp_path / "softmax.py"
    path.write_bytes(b"x" * 1_000_001)
    with pytest.raises(UngradableError, match="larger than 1 MB"):
        find_problem(path, ENTRIES)


def test_a_file_that_cannot_be_read_goes_by_its_name(tmp_path: Path) -> None:
    """The grader then says in its verdict that it could not be loaded."""
    assert find_problem(tmp_path / "softmax.py", ENTRIES) == "softmax"
