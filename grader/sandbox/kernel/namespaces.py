"""Namespaces: a server with no network and a file system of its own, and a pid space a fork.

The server enters once (`enter`), and builds a root that holds nothing but read-only copies of the
readable paths. Each fork then gets its own pid, mount and IPC namespace, so that killing its first
process kills all it started and its private scratch folder goes with it.
See namespaces(7), pid_namespaces(7), pivot_root(2).
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Iterable
from pathlib import Path

from grader.sandbox.kernel.libc import mount, prctl, syscall, umount

_NEW_NS, _NEW_UTS, _NEW_IPC = 0x00020000, 0x04000000, 0x08000000
_NEW_USER, _NEW_PID, _NEW_NET = 0x10000000, 0x20000000, 0x40000000
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT = 1, 2, 4, 8, 32
_BIND, _REC, _PRIVATE = 4096, 16384, 1 << 18
_READ_ONLY = _RDONLY | _NOSUID | _NODEV
_DETACH = 2
_SET_PDEATHSIG = 1

SCRATCH = "scratch"
"""The one folder a fork may write to, at the top of its root."""


def enter() -> int:
    """Leave the caller's namespaces; return in a new process, the first of a new pid space.

    The return value is a handle of that pid space, for `fork_apart`. The caller's process stays
    behind as a waiter that ends with it. Raises OSError, with nothing changed, where the kernel or
    a container's profile refuses.
    """
    uid, gid = os.getuid(), os.getgid()
    unshare(_NEW_USER | _NEW_PID | _NEW_NS | _NEW_IPC | _NEW_NET | _NEW_UTS)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"0 {uid} 1")
    _write("/proc/self/gid_map", f"0 {gid} 1")
    first = os.fork()
    if first:
        _, status = os.waitpid(first, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    prctl(_SET_PDEATHSIG, signal.SIGKILL)
    return os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)


def available() -> bool:
    """Whether `enter` would be let: tried in a fork, so that a refusal leaves no trace."""
    child = os.fork()
    if child == 0:
        try:
            unshare(_NEW_USER | _NEW_PID | _NEW_NS | _NEW_IPC | _NEW_NET | _NEW_UTS)
            mount("none", "/", None, _REC | _PRIVATE)
            mount("root", "/tmp", "tmpfs", 0, "size=4k")
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def build_root(readable: Iterable[str], devices: Iterable[str], private: Iterable[str]) -> None:
    """Make a root of read-only binds and move into it; all else, /home and /run too, is gone."""
    mount("none", "/", None, _REC | _PRIVATE)
    root = "/tmp"  # any folder will do: the new root is mounted over it
    links = {path: os.readlink(path) for path in readable if _is_link_within(path, readable)}
    binds = [(p, os.open(p, os.O_PATH)) for p in (*readable, *devices) if p not in links]
    mount("root", root, "tmpfs", _NOSUID | _NODEV, "size=1m,mode=755")
    for path, handle in binds:
        _bind(handle, root + path, _NOSUID if path in devices else _READ_ONLY)
        os.close(handle)
    for path, target in links.items():
        os.makedirs(os.path.dirname(root + path), exist_ok=True)
        os.symlink(target, root + path)
    for path in private:
        if os.path.isdir(root + path):
            mount("private", root + path, "tmpfs", _READ_ONLY, "size=4k,mode=0")
    for folder in ("tmp", "old", SCRATCH):
        os.makedirs(f"{root}/{folder}", exist_ok=True)
    syscall("pivot_root", root.encode(), f"{root}/old".encode())
    os.chdir("/")
    umount("/old", _DETACH)
    os.rmdir("/old")
    mount("root", "/", None, _REMOUNT | _BIND | _READ_ONLY)


def fork_apart(own_pid_space: int) -> int:
    """fork(2) into a new pid space; returns as fork does.

    Children can be sent to another pid space only from one's own, so the server goes back into
    its own after each fork and can do the same for the next.
    """
    unshare(_NEW_PID)
    child = os.fork()
    if child:
        syscall("setns", ctypes.c_int(own_pid_space), ctypes.c_int(_NEW_PID))
    return child


def private_scratch(size_mb: int) -> str:
    """In a fork: own mounts and IPC, and an empty folder in memory that goes with them."""
    unshare(_NEW_NS | _NEW_IPC)
    options = f"size={size_mb}m,nr_inodes=4096,mode=700"
    mount("scratch", f"/{SCRATCH}", "tmpfs", _NOSUID | _NODEV | _NOEXEC, options)
    return f"/{SCRATCH}"


def unshare(flags: int) -> None:
    """unshare(2)."""
    syscall("unshare", ctypes.c_int(flags))


def _is_link_within(path: str, readable: Iterable[str]) -> bool:
    """A link such as /lib -> usr/lib, whose target is bound anyway."""
    if not os.path.islink(path):
        return False
    real = os.path.realpath(path)
    return any(real == other or real.startswith(other + "/") for other in readable if other != path)


def _bind(handle: int, target: str, flags: int) -> None:
    """Bind the open file or folder to `target`, with `flags`."""
    source = f"/proc/self/fd/{handle}"
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        Path(target).touch()
    mount(source, target, None, _BIND | _REC)
    mount("none", target, None, _REMOUNT | _BIND | flags | _locked_flags(target))


def _locked_flags(path: str) -> int:
    """Flags of the underlying mount that a user namespace may not take off again."""
    active = os.statvfs(path).f_flag
    pairs = ((os.ST_NOSUID, _NOSUID), (os.ST_NODEV, _NODEV), (os.ST_NOEXEC, _NOEXEC))
    kept = sum(flag for bit, flag in pairs if active & bit)
    relative = 0x200000 if active & getattr(os, "ST_RELATIME", 4096) else 0
    none = 1024 if active & getattr(os, "ST_NOATIME", 1024) else 0
    return kept | relative | none


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
