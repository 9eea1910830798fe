"""Giving up powers: capabilities, the user, resource limits. Nothing here can be taken back."""

from __future__ import annotations

import ctypes
import os
import resource
import signal

from grader.sandbox.kernel.libc import prctl, syscall

_SET_PDEATHSIG, _SET_DUMPABLE, _CAPBSET_DROP, _SET_NO_NEW_PRIVS = 1, 4, 24, 38
_CAP_AMBIENT, _CAP_AMBIENT_CLEAR_ALL = 47, 4
_SET_SECUREBITS, _ALL_SECUREBITS_LOCKED = 28, 0b101111
_CAPABILITY_VERSION_3 = 0x20080522

MB = 1 << 20


class _CapHeader(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


def no_new_privileges() -> None:
    """No later exec can add a privilege; Landlock and seccomp ask for this."""
    prctl(_SET_NO_NEW_PRIVS, 1)


def end_with_parent() -> None:
    """Be killed when the process that forked this one ends; a change of user forgets it."""
    prctl(_SET_PDEATHSIG, signal.SIGKILL)


def hide_from_tracers() -> None:
    """Not dumpable: no core file, and no tracing by a process of the same user."""
    prctl(_SET_DUMPABLE, 0)


def become(uid: int) -> None:
    """Change user and group for good; must come before capabilities are dropped."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def drop_capabilities() -> None:
    """Empty every set: effective, permitted, inheritable, ambient and, if allowed, bounding."""
    _quietly(_CAP_AMBIENT, _CAP_AMBIENT_CLEAR_ALL)
    for capability in range(64):
        _quietly(_CAPBSET_DROP, capability)
    _quietly(_SET_SECUREBITS, _ALL_SECUREBITS_LOCKED)
    header = _CapHeader(_CAPABILITY_VERSION_3, 0)
    syscall("capset", ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))


def limit_resources(*, cpu_s: int, file_mb: int, open_files: int, processes: int | None) -> None:
    """Hard and soft limits alike. Address space is left free: a limit breaks torch and CUDA."""
    wanted = {
        resource.RLIMIT_CPU: cpu_s,
        resource.RLIMIT_FSIZE: file_mb * MB,
        resource.RLIMIT_NOFILE: open_files,
        resource.RLIMIT_CORE: 0,
    }
    if processes is not None:
        wanted[resource.RLIMIT_NPROC] = processes
    for kind, value in wanted.items():
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


def _quietly(option: int, *args: int) -> None:
    try:
        prctl(option, *args)
    except OSError:  # already without the power, or a number this kernel does not know
        return
