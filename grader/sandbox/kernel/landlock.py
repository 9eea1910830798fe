"""Landlock: from here on this process reads and writes only beneath the paths it names.

See landlock(7). Every right the running kernel knows is handled, so that what is not allowed is
refused; TCP is refused from ABI 4 on, signals and abstract Unix sockets across the border from 6.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable

from grader.sandbox.kernel.libc import syscall

_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_ALL_OF_ABI_1 = (1 << 13) - 1
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_TCP_BIND_AND_CONNECT = 0b11
_SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11


class _RulesetAttributes(ctypes.Structure):
    _fields_ = [
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    ]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32)]


def abi() -> int:
    """The kernel's Landlock ABI; 0 where there is none or it is switched off."""
    try:
        return syscall("landlock_create_ruleset", None, ctypes.c_size_t(0), _CREATE_RULESET_VERSION)
    except OSError:
        return 0


def restrict(version: int, readable: Iterable[str], writable: Iterable[str]) -> None:
    """Confine this process for good; needs no_new_privs. Missing paths are passed over."""
    handled = _handled(version)
    attributes = _RulesetAttributes(
        handled,
        _TCP_BIND_AND_CONNECT if version >= 4 else 0,
        _SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0,
    )
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = syscall(
        "landlock_create_ruleset",
        ctypes.byref(attributes),
        ctypes.c_size_t(size),
        ctypes.c_uint32(0),
    )
    try:
        for path in readable:
            _allow(ruleset, path, handled & (_READ_FILE | _READ_DIR))
        for path in writable:
            _allow(ruleset, path, handled & ~_EXECUTE)
        syscall("landlock_restrict_self", ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _handled(version: int) -> int:
    rights = _ALL_OF_ABI_1
    for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEV)):
        if version >= since:
            rights |= right
    return rights


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):
            access &= _ON_FILES
        rule = _PathBeneath(access, handle)
        syscall(
            "landlock_add_rule",
            ctypes.c_int(ruleset),
            ctypes.c_int(_RULE_PATH_BENEATH),
            ctypes.byref(rule),
            ctypes.c_uint32(0),
        )
    finally:
        os.close(handle)
