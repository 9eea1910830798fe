"""System calls through ctypes: a failed call raises OSError with its name.

Numbers are those of the kernel's own tables for x86_64 and aarch64; the calls added since Linux
5.0 share one number on every architecture.
"""

from __future__ import annotations

import ctypes
import os
import platform

_libc = ctypes.CDLL(None, use_errno=True)

MACHINE = platform.machine()

_BY_MACHINE = {
    "x86_64": {"pivot_root": 155, "capset": 126, "setns": 308, "unshare": 272},
    "aarch64": {"pivot_root": 41, "capset": 91, "setns": 268, "unshare": 97},
}
_COMMON = {"landlock_create_ruleset": 444, "landlock_add_rule": 445, "landlock_restrict_self": 446}


def syscall(name: str, *args: object) -> int:
    """Make the system call, return its value; OSError when it fails, ENOSYS on other machines."""
    number = _COMMON.get(name, _BY_MACHINE.get(MACHINE, {}).get(name))
    if number is None:
        raise OSError(38, f"{name}: not known on {MACHINE}")
    return _checked(name, _libc.syscall(ctypes.c_long(number), *args))


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """mount(2)."""
    encoded = [text.encode() if text is not None else None for text in (source, target, kind, data)]
    _checked(f"mount {target}", _libc.mount(*encoded[:3], ctypes.c_ulong(flags), encoded[3]))


def umount(target: str, flags: int) -> None:
    """umount2(2)."""
    _checked(f"umount {target}", _libc.umount2(target.encode(), flags))


def prctl(option: int, *args: int) -> int:
    """prctl(2), with its arguments widened to unsigned long."""
    widened = [ctypes.c_ulong(value) for value in (*args, 0, 0, 0, 0)[:4]]
    return _checked(f"prctl {option}", _libc.prctl(option, *widened))


def _checked(name: str, value: int) -> int:
    if value < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return value
