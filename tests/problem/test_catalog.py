"""Finding and listing problems, quickly and whatever their files hold."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import grader
from grader.problem.catalog import Header, catalog, find_roots, headers

CHECKOUT = Path(grader.__file__).parent.parent


def test_problems_here_come_before_those_beside_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An instructor's own folder is looked at first."""
    (tmp_path / "package" / "grader").mkdir(parents=True)
    (tmp_path / "package" / "problems").mkdir()
    (tmp_path / "problems").mkdir()
    monkeypatch.setattr(grader, "__file__", str(tmp_path / "package" / "grader" / "__init__.py"))
    monkeypatch.chdir(tmp_path)
    assert find_roots() == (Path("problems"), tmp_path / "package" / "problems")
    monkeypatch.chdir(tmp_path / "package")
    assert find_roots() == (Path("problems"),)


def test_without_problem_folders_there_are_no_roots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wheel without problems, in an empty folder, has none, and does not fail."""
    monkeypatch.setattr(grader, "__file__", str(tmp_path / "grader" / "__init__.py"))
    monkeypatch.chdir(tmp_path)
    assert find_roots() == ()


def test_the_first_root_wins_and_ids_are_sorted(tmp_path: Path) -> None:
    """A folder is a problem when it has a spec; its name is the id."""
    for folder in ("one/b", "one/empty", "two/a", "two/b"):
        (tmp_path / folder).mkdir(parents=True)
        if folder != "one/empty":
            (tmp_path / folder / "problem.yaml").touch()
    found = catalog([tmp_path / "one", tmp_path / "two"])
    assert list(found.items()) == [("a", tmp_path / "two/a"), ("b", tmp_path / "one/b")]


def test_a_header_is_read(toy: str, write: Callable[[str], Path]) -> None:
    """What a list shows, and the function by which a solution is recognised."""
    folder = write(toy)
    assert headers({"toy": folder}) == (Header("toy", folder, "Toy", "easy", ("sums",), "toy"),)


@pytest.mark.parametrize(
    "spec", ["title: [1]\nlevel: 3\ntags: x\n", "[]", "tags: [1, a]", "format_version: 1"]
)
def test_a_header_of_the_wrong_form_is_still_listed(
    write: Callable[[str], Path], spec: str
) -> None:
    """The list leaves the explanation to the loader; the id stands for the title."""
    (header,) = headers({"toy": write(spec)})
    assert (header.id, header.title, header.level, header.error) == ("toy", "toy", "", "")


def test_a_spec_that_is_not_yaml_is_listed_with_its_error(write: Callable[[str], Path]) -> None:
    """One line, with its place."""
    (header,) = headers({"toy": write("title: [")})
    assert "problem.yaml:2:1: not valid YAML" in header.error
    assert "\n" not in header.error


def test_a_spec_that_is_gone_is_listed_with_its_error(tmp_path: Path) -> None:
    """A file can vanish between finding and reading it."""
    (header,) = headers({"toy": tmp_path})
    assert header.error == f"{tmp_path}/problem.yaml: No such file or directory"


def test_listing_needs_neither_pydantic_nor_torch() -> None:
    """Both take longer to import than a list may take."""
    program = (
        "import sys; from grader.problem.catalog import *; headers(catalog(find_roots())); "
        "print([name for name in ('torch', 'pydantic', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
