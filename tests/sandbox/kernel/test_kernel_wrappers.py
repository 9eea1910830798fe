"""The thin wrappers: a refusal of the kernel is an OSError with its name, a lack is said."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from grader.sandbox.kernel import landlock, libc, namespaces
from tests.sandbox.sandbox_runs import needs_linux

pytestmark = needs_linux


def test_a_failed_call_names_itself() -> None:
    """With the kernel's own number."""
    with pytest.raises(OSError, match="setns") as caught:
        libc.syscall("setns", -1, 0)
    assert caught.value.errno == errno.EBADF


def test_an_unknown_call_is_not_implemented(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are never guessed."""
    monkeypatch.setattr(libc, "MACHINE", "riscv64")
    with pytest.raises(OSError, match="unshare: not known on riscv64") as caught:
        libc.syscall("unshare", 0)
    assert caught.value.errno == errno.ENOSYS


def test_a_failed_prctl_is_an_error() -> None:
    """Of an option that is none."""
    with pytest.raises(OSError, match="prctl 999999"):
        libc.prctl(999_999)


def test_a_failed_mount_names_the_place(tmp_path: Path) -> None:
    """So that one knows which of many."""
    missing = str(tmp_path / "missing")
    with pytest.raises(OSError, match=missing):
        libc.mount("none", missing, "tmpfs", 0)
    with pytest.raises(OSError, match=missing):
        libc.umount(missing, 0)


@pytest.mark.parametrize(
    ("version", "bits"), [(1, 13), (2, 14), (3, 15), (4, 15), (5, 16), (6, 16), (9, 16)]
)
def test_landlock_handles_all_that_the_kernel_knows(version: int, bits: int) -> None:
    """What is handled and not allowed is refused."""
    assert landlock._handled(version) == (1 << bits) - 1


def test_without_landlock_its_version_is_0(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a kernel that was built without, or has it switched off."""

    def refuse(name: str, *args: object) -> int:
        raise OSError(errno.EOPNOTSUPP, name)

    monkeypatch.setattr(landlock, "syscall", refuse)
    assert landlock.abi() == 0


def test_a_link_whose_target_is_bound_is_a_link_again(tmp_path: Path) -> None:
    """As /lib is to usr/lib."""
    (tmp_path / "usr" / "lib").mkdir(parents=True)
    (tmp_path / "lib").symlink_to("usr/lib")
    link, target = str(tmp_path / "lib"), str(tmp_path / "usr" / "lib")
    assert namespaces._is_link_within(link, [link, target])
    assert not namespaces._is_link_within(link, [link])
    assert not namespaces._is_link_within(target, [link, target])
