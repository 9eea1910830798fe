"""The temporary folder on disk goes, whatever a solution left in it, and nothing else goes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.sandbox import scratch
from tests.sandbox.sandbox_runs import needs_linux

pytestmark = needs_linux


@pytest.fixture(autouse=True)
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    left = [path.name for path in tmp_path.iterdir() if path.name.startswith("tensor-grader-")]
    assert left == []


def chain(folder: str, depth: int) -> None:
    """A chain of folders, longer than any path may be."""
    fd = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=fd)
        inner = os.open("d", os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = inner
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=fd))
    os.close(fd)


def closed_folders(folder: str) -> None:
    """Folders that may not be entered, with things in them."""
    for name, mode in (("a", 0o000), ("b", 0o400), ("c", 0o100)):
        inner = Path(folder, name, "inner")
        inner.mkdir(parents=True)
        (inner / "file").touch()
        inner.chmod(0o000)
        inner.parent.chmod(mode)


def odd_names(folder: str) -> None:
    """Bytes that are no text, a name that is very long, one that looks like an option."""
    for name in (b"\xff\xfe", b"x" * 255, b"-rf", b"new\nline"):
        os.mkdir(os.path.join(folder.encode(), name))
        Path(os.fsdecode(os.path.join(folder.encode(), name)), "file").touch()


def special_files(folder: str) -> None:
    """A pipe that nobody writes to, and links that lead nowhere or in a circle."""
    os.mkfifo(os.path.join(folder, "pipe"))
    os.symlink("/nowhere", os.path.join(folder, "dangling"))
    os.symlink("loop", os.path.join(folder, "loop"))
    os.symlink(".", os.path.join(folder, "itself"))


def many(folder: str) -> None:
    """A broad tree."""
    for i in range(40):
        for j in range(5):
            inner = Path(folder, str(i), str(j))
            inner.mkdir(parents=True)
            (inner / "file").touch()


@pytest.mark.parametrize(
    "fill",
    [lambda folder: chain(folder, 3000), closed_folders, odd_names, special_files, many],
    ids=["3,000 deep", "closed", "odd names", "special files", "many"],
)
def test_the_folder_is_gone(fill: Callable[[str], None]) -> None:
    """Whatever is in it."""
    folder = scratch.make(None)
    fill(folder)
    scratch.remove(folder)
    assert not os.path.exists(folder)


def test_a_closed_folder_itself_is_removed() -> None:
    """A solution can take away its own permissions."""
    folder = scratch.make(None)
    Path(folder, "file").touch()
    os.chmod(folder, 0o000)
    scratch.remove(folder)
    assert not os.path.exists(folder)


def test_what_links_lead_to_stays(tmp_path: Path) -> None:
    """Neither emptied nor given other permissions."""
    outside = tmp_path / "outside"
    (outside / "inner").mkdir(parents=True)
    (outside / "inner" / "kept.txt").write_text("kept")
    (outside / "inner").chmod(0o500)
    folder = scratch.make(None)
    os.symlink(outside, os.path.join(folder, "link"))
    os.symlink(outside / "inner" / "kept.txt", os.path.join(folder, "file"))
    Path(folder, "deep").mkdir()
    os.symlink(outside / "inner", os.path.join(folder, "deep", "link"))
    os.link(outside / "inner" / "kept.txt", os.path.join(folder, "hard"))
    scratch.remove(folder)
    assert (outside / "inner" / "kept.txt").read_text() == "kept"
    assert (outside / "inner").stat().st_mode & 0o777 == 0o500


def test_a_folder_that_is_gone_is_no_error(tmp_path: Path) -> None:
    """A solution may have removed it."""
    scratch.remove(str(tmp_path / "never"))


def test_only_its_user_may_enter() -> None:
    """Mode 700, from the start."""
    folder = scratch.make(None)
    assert os.stat(folder).st_mode & 0o777 == 0o700
    scratch.remove(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_is_given_to_the_user_who_runs_in_it() -> None:
    """And the parent can still remove it."""
    folder = scratch.make(65534)
    assert os.stat(folder).st_uid == 65534
    scratch.remove(folder)
    assert not os.path.exists(folder)
