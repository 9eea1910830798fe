"""seccomp: a filter over system calls, for what neither Landlock nor namespaces reach.

No new process, no other program, no socket, no tracing, no memory outside the resident set that
is watched (memfd, shared memory), no namespaces, mounts or keys, no hand on another process by
signals or limits. Threads are allowed. A fatal signal sent to oneself ends the process at once,
which an init process would otherwise ignore.
See seccomp(2) and the kernel's syscall tables.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from grader.sandbox.kernel.libc import MACHINE, prctl

_SET_SECCOMP, _MODE_FILTER = 22, 2
_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCH_AT, _FIRST_ARG_AT, _SECOND_ARG_AT, _THIRD_ARG_AT = 0, 4, 16, 24, 32
_CLONE_THREAD = 0x00010000
_X32_BIT = 0x40000000
_FATAL_SIGNALS = (3, 4, 6, 7, 8, 9, 11, 15)
_SIGNALS_BY_FCNTL = (8, 10, 15)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX: the kernel would send a signal to whom one names."""
_SIGNALS_BY_IOCTL = (0x8901, 0x8902)
"""FIOSETOWN, SIOCSPGRP: the same."""

_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# name: (x86_64, aarch64); None where the machine does not have the call.
_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "clone": (56, 220), "clone3": (435, 435), "fork": (57, None), "vfork": (58, None),
    "execve": (59, 221), "execveat": (322, 281),
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_getfd": (438, 438), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "process_madvise": (440, 440),
    "perf_event_open": (298, 241), "bpf": (321, 280), "userfaultfd": (323, 282),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "shmget": (29, 194), "shmat": (30, 196), "msgget": (68, 186), "semget": (64, 190),
    "mq_open": (240, 180),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "quotactl": (179, 60), "acct": (163, 89), "syslog": (103, 116), "personality": (135, 92),
    "fanotify_init": (300, 262), "inotify_init": (253, None), "inotify_init1": (294, 26),
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "prlimit64": (302, 261), "fcntl": (72, 25), "ioctl": (16, 29),
}  # fmt: skip
_BY_ARGUMENT = {"clone", "clone3", "kill", "tgkill", "tkill", "prlimit64", "fcntl", "ioctl"}
_NOT_IMPLEMENTED = {"clone3", "io_uring_setup", "io_uring_enter", "io_uring_register"}


def supported() -> bool:
    """Whether this kernel and machine can take the filter (asked without installing one)."""
    if MACHINE not in _ARCH:
        return False
    try:
        prctl(_SET_SECCOMP, _MODE_FILTER, 0)
    except OSError as refused:
        return refused.errno == errno.EFAULT
    return False


def install(*, devices: bool = False) -> None:
    """Put the filter on this process, for good; needs no_new_privs. `devices`: CUDA needs memfd."""
    program = _program(os.getpid(), frozenset({"memfd_create"}) if devices else frozenset())
    code = ctypes.create_string_buffer(program, len(program))

    class _Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    header = _Program(len(program) // 8, ctypes.addressof(code))
    prctl(_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(header))


def _program(pid: int, allowed: frozenset[str]) -> bytes:
    """The filter as BPF: each block either returns or falls through to the next."""
    column = 0 if MACHINE == "x86_64" else 1
    number = {name: pair[column] for name, pair in _NUMBERS.items()}
    code = [
        _op(_LOAD, _ARCH_AT),
        _op(_JUMP_EQUAL, _ARCH[MACHINE], 1, 0),
        _op(_RETURN, _KILL_PROCESS),
        _op(_LOAD, _NUMBER_AT),
    ]
    if MACHINE == "x86_64":
        code += [_op(_JUMP_GREATER_EQUAL, _X32_BIT, 0, 1), _op(_RETURN, _KILL_PROCESS)]
    for name, value in number.items():
        if value is None or name in allowed or name in _BY_ARGUMENT - _NOT_IMPLEMENTED:
            continue
        refusal = errno.ENOSYS if name in _NOT_IMPLEMENTED else errno.EPERM
        code += [_op(_JUMP_EQUAL, value, 0, 1), _op(_RETURN, _ERRNO | refusal)]
    code += _when(number["clone"], [
        _op(_LOAD, _FIRST_ARG_AT),
        _op(_JUMP_SET, _CLONE_THREAD, 0, 1),
        _op(_RETURN, _ALLOW),
        _op(_RETURN, _ERRNO | errno.EAGAIN),
    ])  # fmt: skip
    code += _when(number["kill"], _only_oneself(pid, signal_at=_SECOND_ARG_AT))
    code += _when(number["tgkill"], _only_oneself(pid, signal_at=_THIRD_ARG_AT))
    code += _when(number["tkill"], [_op(_RETURN, _ERRNO | errno.EPERM)])
    code += _when(number["prlimit64"], [
        _op(_LOAD, _FIRST_ARG_AT),
        _op(_JUMP_EQUAL, 0, 2, 0),
        _op(_JUMP_EQUAL, pid, 1, 0),
        _op(_RETURN, _ERRNO | errno.EPERM),
        _op(_RETURN, _ALLOW),
    ])  # fmt: skip
    code += _when(number["fcntl"], _unless_second_is(_SIGNALS_BY_FCNTL))
    code += _when(number["ioctl"], _unless_second_is(_SIGNALS_BY_IOCTL))
    code.append(_op(_RETURN, _ALLOW))
    return b"".join(code)


def _only_oneself(pid: int, *, signal_at: int) -> list[bytes]:
    """Signals to another process are refused; a fatal one to oneself is carried out here."""
    block = [
        _op(_LOAD, _FIRST_ARG_AT),
        _op(_JUMP_EQUAL, pid, 1, 0),
        _op(_RETURN, _ERRNO | errno.EPERM),
        _op(_LOAD, signal_at),
    ]
    for signal in _FATAL_SIGNALS:
        block += [_op(_JUMP_EQUAL, signal, 0, 1), _op(_RETURN, _KILL_PROCESS)]
    return [*block, _op(_RETURN, _ALLOW)]


def _unless_second_is(values: tuple[int, ...]) -> list[bytes]:
    block = [_op(_LOAD, _SECOND_ARG_AT)]
    for value in values:
        block += [_op(_JUMP_EQUAL, value, 0, 1), _op(_RETURN, _ERRNO | errno.EPERM)]
    return [*block, _op(_RETURN, _ALLOW)]


def _when(number: int | None, block: list[bytes]) -> list[bytes]:
    if number is None:
        return []
    return [_op(_JUMP_EQUAL, number, 0, len(block)), *block]


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value & 0xFFFFFFFF)
