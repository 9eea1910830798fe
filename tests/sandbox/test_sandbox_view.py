"""What can be read from inside, and what is taken out of it again."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.sandbox import view
from tests.sandbox.sandbox_runs import needs_linux

pytestmark = needs_linux


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """site/{a/x.py, probs/{p/secret, q/secret}, c.py, up -> site, away -> ../elsewhere}."""
    for name in ("site/a/x.py", "site/probs/p/secret", "site/probs/q/secret", "site/c.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "site" / "up").symlink_to(tmp_path / "site")
    (tmp_path / "site" / "away").symlink_to(tmp_path / "elsewhere")
    return tmp_path


def carved(tree: Path, *private: str, readable: str = "site") -> list[str]:
    """What is left of the readable folder, relative to it."""
    root = tree / readable
    hidden = [str(tree / path) for path in private]
    found = view.without_private([str(root)], hidden)
    return [os.path.relpath(path, root) for path in found]


def test_a_folder_without_secrets_is_given_whole(tree: Path) -> None:
    """One rule is enough."""
    assert carved(tree) == ["."]
    assert carved(tree, "elsewhere", "sit", "site2") == ["."]


def test_a_secret_folder_is_left_out(tree: Path) -> None:
    """Its neighbours are given one by one, links not at all."""
    assert carved(tree, "site/probs") == ["a", "c.py"]


def test_nested_secrets_are_each_left_out(tree: Path) -> None:
    """At different depths."""
    assert carved(tree, "site/probs/p", "site/a") == ["c.py", "probs/q"]
    assert carved(tree, "site/probs", "site/probs/p") == ["a", "c.py"]


def test_a_secret_file_can_be_left_out(tree: Path) -> None:
    """Not only folders."""
    assert carved(tree, "site/c.py") == ["a", "probs"]


def test_a_secret_named_through_a_link_is_left_out(tree: Path) -> None:
    """It is where it is, whatever it was called."""
    assert carved(tree, "site/up/up/probs") == ["a", "c.py"]


def test_a_link_to_the_readable_folder_is_carved_too(tree: Path) -> None:
    """The folder was given under its other name."""
    (tree / "alias").symlink_to(tree / "site")
    assert carved(tree, "site/probs", readable="alias") == ["a", "c.py"]


def test_links_in_a_circle_come_to_an_end(tree: Path) -> None:
    """Forty of them would be a trillion paths."""
    for number in range(40):
        (tree / "site" / f"loop{number}").symlink_to(tree)
    assert carved(tree, "site/probs") == ["a", "c.py"]


@pytest.mark.parametrize(
    ("private", "expected"),
    [
        ("site/probs", ["site/probs"]),
        ("site", []),
        (".", []),
        ("elsewhere", []),
        ("sit", []),
    ],
)
def test_exposed_is_what_lies_below_a_readable_folder(
    tree: Path, private: str, expected: list[str]
) -> None:
    """A secret folder around the interpreter does not hide the interpreter."""
    found = view.exposed([str(tree / private)], [str(tree / "site")])
    assert [os.path.relpath(path, tree) for path in found] == expected


def test_a_secret_is_exposed_under_each_name_it_is_seen_by(tree: Path) -> None:
    """A virtual environment's folder may be a link: the solution sees its files under that name."""
    (tree / "venv").symlink_to(tree / "site")
    readable = [str(tree / "venv"), str(tree / "site")]
    found = view.exposed([str(tree / "venv" / "probs")], readable)
    assert [os.path.relpath(path, tree) for path in found] == ["venv/probs", "site/probs"]


def test_the_interpreter_and_torch_are_readable() -> None:
    """The folders that Python itself names."""
    readable = view.readable_paths(cuda=False)

    def is_readable(path: str) -> bool:
        return any(path == root or path.startswith(root + "/") for root in readable)

    assert is_readable(sysconfig.get_path("stdlib"))
    assert is_readable(sysconfig.get_path("purelib"))
    assert all(os.path.exists(path) for path in readable)


def test_home_and_temporary_folders_are_not_readable() -> None:
    """Nor the root, the processes, or the settings of the machine."""
    readable = view.readable_paths(cuda=False)
    assert not {"/", "/tmp", "/home", "/root", "/etc", "/proc", "/sys", "/dev"} & set(readable)
    assert str(view.PACKAGE.parent) not in readable


def test_no_readable_path_lies_below_another() -> None:
    """Each is mounted once."""
    readable = view.readable_paths(cuda=False)
    assert not [(a, b) for a in readable for b in readable if b.startswith(a + "/")]


def test_the_grader_itself_is_private() -> None:
    """In a checkout and in a wheel."""
    assert str(view.PACKAGE) in view.own_paths()
    assert (view.PACKAGE / "sandbox" / "view.py").exists()


def test_packages_are_found_where_torch_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in a folder of another name, as of `pip install --target`; order is kept."""
    entries = ["", "relative/site-packages", "/a/work", str(tmp_path), "/u/site-packages"]
    monkeypatch.setattr(sys, "path", entries)
    origin = str(tmp_path / "torch" / "__init__.py")
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(__file__=origin))
    assert view.package_folders() == (str(tmp_path), "/u/site-packages")
    monkeypatch.delitem(sys.modules, "torch")
    assert view.package_folders() == ("/u/site-packages",)


def test_devices_are_the_harmless_ones() -> None:
    """No disk, no terminal, no shared memory."""
    allowed = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}
    assert set(view.device_paths(cuda=False)) <= allowed
