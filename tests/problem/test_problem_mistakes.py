"""Many mistakes at once, and those that lie outside the spec: in the folder and its files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.problem.errors import ProblemInvalid, SpecError
from grader.problem.load import load


def changed(spec: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        spec = spec.replace(old, new)
    return spec


def mistakes(folder: Path) -> tuple[SpecError, ...]:
    with pytest.raises(ProblemInvalid) as caught:
        load(folder)
    return caught.value.errors


def test_mistakes_of_form_and_of_meaning_come_together_in_order(
    toy: str, write: Callable[[str], Path]
) -> None:
    """One load finds them all, whatever their kind, sorted by line; this is how they are shown."""
    changes = {
        "level: easy": "levle: easy",
        "entry: toy": "entry: my toy",
        "scale: [x]": "scale: [y, z]",
        "y: {uniform: [0, 1]}": "y: {uniform: [0, heigth]}",
        "points: 4.1": "points: four",
        "width: 3": "widht: 3",
        "needs: [first]": "needs: [fisrt]\n    dtype: float23",
        "kind: tuple": "kind: tupel",
    }
    folder = write(changed(toy, changes))
    with pytest.raises(ProblemInvalid) as caught:
        load(folder)
    assert (
        str(caught.value).replace(str(folder), "toy")
        == """\
toy/problem.yaml:1:1: "level" is missing
toy/problem.yaml:4:1: unknown key "levle"
  help: did you mean "level"?
toy/problem.yaml:6:8: "my toy" is not a Python identifier
toy/problem.yaml:13:38: unknown input "z"
  help: known here: x, y
toy/problem.yaml:21:22: unknown dim "heigth" in "heigth"
  help: known here: batch, width
toy/problem.yaml:23:47: points must be a number, not the text "four"
toy/problem.yaml:23:59: case "first" gives no size to "width"
toy/problem.yaml:23:70: unknown dim "widht"
  help: did you mean "width"?
toy/problem.yaml:29:13: unknown case "fisrt"
  help: did you mean "first"?
toy/problem.yaml:30:12: dtype "float23" is not a torch dtype
  help: did you mean "float32"?
toy/problem.yaml:35:91: unknown kind "tupel" of check "type"
  help: did you mean "tuple"?"""
    )


def test_a_mistake_in_the_defaults_is_told_once(toy: str, write: Callable[[str], Path]) -> None:
    """What two cases share is one mistake, at the place where it is written."""
    slip = {"x: {normal: {}}": "x: {normal: {}, set: {at: {batch: 7}, value: 0}}"}
    (error,) = mistakes(write(changed(toy, slip)))
    assert (error.line, error.column) == (20, 39)


@pytest.mark.parametrize("section", ["inputs", "outputs", "cases"])
def test_an_empty_section_is_a_mistake(
    toy: str, write: Callable[[str], Path], section: str
) -> None:
    """A problem without inputs, outputs or cases could not be graded."""
    lines = toy.splitlines(keepends=True)
    start = lines.index(f"{section}:\n")
    end = next(i for i in range(start + 1, len(lines)) if not lines[i].startswith(" "))
    lines[start:end] = [f"{section}: {'[]' if section == 'cases' else '{}'}\n"]
    found = mistakes(write("".join(lines)))
    place = (start + 1, len(section) + 3)
    assert f"the problem has no {section}" in [
        e.message.partition(",")[0] for e in found if (e.line, e.column) == place
    ]


def test_a_newer_format_is_all_that_is_said(toy: str, write: Callable[[str], Path]) -> None:
    """What else a later format says differently is no mistake."""
    folder = write(toy.replace("format_version: 1", "format_version: 2").replace("level", "grade"))
    (error,) = mistakes(folder)
    assert (error.message, error.help) == (
        "format_version 2 is not known",
        "this grader reads format 1",
    )


@pytest.mark.parametrize("name", ["statement.md", "starter.py"])
def test_a_missing_file_of_the_folder_is_named(
    toy: str, write: Callable[[str], Path], name: str
) -> None:
    """A problem has a statement and a starter."""
    folder = write(toy)
    (folder / name).unlink()
    assert [e.message for e in mistakes(folder)] == [f"{name} is missing"]


def test_a_missing_reference_is_named_by_its_default(
    toy: str, write: Callable[[str], Path]
) -> None:
    """Without `reference`, the place that was looked at is said."""
    folder = write(toy)
    (folder.parent.parent / "solutions" / "toy.py").unlink()
    (error,) = mistakes(folder)
    assert '"../../solutions/toy.py" is missing' in error.message


def test_a_folder_without_a_spec_is_no_problem(tmp_path: Path) -> None:
    """The file that is missing is named."""
    (error,) = mistakes(tmp_path)
    assert str(error) == f"{tmp_path}/problem.yaml:1:1: there is no problem.yaml in this folder"


def test_a_spec_that_is_a_folder_is_no_problem(tmp_path: Path) -> None:
    """What cannot be read is said to be so."""
    (tmp_path / "problem.yaml").mkdir()
    (error,) = mistakes(tmp_path)
    assert error.message.startswith("the file cannot be read: ")


@pytest.mark.parametrize("text", ["3", "[]", "text", "- a"])
def test_a_file_that_is_no_mapping_is_one_mistake(write: Callable[[str], Path], text: str) -> None:
    """Nothing more is said of a file that holds something else altogether."""
    (error,) = mistakes(write(text))
    assert (error.line, error.column) == (1, 1)
    assert error.message.startswith("the file must be a mapping, not ")


def test_what_a_file_of_the_folder_refuses_is_a_mistake(
    toy: str, write: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that exists and cannot be read is named, not raised as an OSError."""

    read_bytes = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "starter.py":
            raise PermissionError(13, "Permission denied", str(path))
        return read_bytes(path)

    folder = write(toy)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    (error,) = mistakes(folder)
    assert error.message.startswith("a file of the problem cannot be read: Permission denied")


@pytest.mark.parametrize("value", ["1", ""])
def test_a_file_with_hundreds_of_mistakes_is_not_checked_further(
    toy: str, write: Callable[[str], Path], value: str
) -> None:
    """The first two hundred are told, unknown keys or empty ones, and nothing of meaning."""
    spec = toy.replace("needs: [first]", "needs: [nobody]")
    found = mistakes(write(spec + "".join(f"key{i}: {value}\n" for i in range(300))))
    assert 200 <= len(found) <= 400
    assert not any("nobody" in error.message for error in found)
