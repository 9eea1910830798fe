"""The filter as the kernel would run it: a small interpreter of its instructions, for both
machines, whichever this one is."""

from __future__ import annotations

import errno
import struct

import pytest

from grader.sandbox.kernel import seccomp

PID = 4711
ALLOW, KILL = "allow", "kill"
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
MACHINES = ("x86_64", "aarch64")


def decide(program: bytes, arch: int, number: int, *arguments: int) -> str:
    """What becomes of a system call: "allow", "kill" or the name of an error."""
    data = struct.pack("=IIQ6Q", number, arch, 0, *arguments, *[0] * (6 - len(arguments)))
    code = list(struct.iter_unpack("=HBBI", program))
    at, value = 0, 0
    while True:
        operation, if_true, if_false, operand = code[at]
        at += 1
        if operation == LOAD:
            (value,) = struct.unpack_from("=I", data, operand)
        elif operation == RETURN:
            return _action(operand)
        else:
            met = {
                EQUAL: value == operand,
                AT_LEAST: value >= operand,
                ANY_BIT: bool(value & operand),
            }[operation]
            at += if_true if met else if_false


def _action(operand: int) -> str:
    if operand == 0x7FFF0000:
        return ALLOW
    if operand == 0x80000000:
        return KILL
    assert operand >> 16 == 5, hex(operand)
    return errno.errorcode[operand & 0xFFFF]


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each machine that has a filter."""
    monkeypatch.setattr(seccomp, "MACHINE", request.param)
    return str(request.param)


def ask(machine: str, name: str, *arguments: int, devices: bool = False) -> str:
    """The decision about a call by name; its number must be known on the machine."""
    number = seccomp._NUMBERS[name][MACHINES.index(machine)]
    assert number is not None
    allowed = frozenset({"memfd_create"}) if devices else frozenset[str]()
    return decide(seccomp._program(PID, allowed), seccomp._ARCH[machine], number, *arguments)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("socket", (2, 1), "EPERM"),
        ("connect", (), "EPERM"),
        ("execve", (), "EPERM"),
        ("execveat", (), "EPERM"),
        ("ptrace", (), "EPERM"),
        ("process_vm_readv", (), "EPERM"),
        ("memfd_create", (), "EPERM"),
        ("shmget", (), "EPERM"),
        ("unshare", (), "EPERM"),
        ("mount", (), "EPERM"),
        ("bpf", (), "EPERM"),
        ("pidfd_send_signal", (), "EPERM"),
        ("rt_sigqueueinfo", (PID, 9), "EPERM"),
        ("io_uring_setup", (), "ENOSYS"),
        ("clone3", (), "ENOSYS"),
        ("clone", (17,), "EAGAIN"),
        ("clone", (0x10D00,), ALLOW),
        ("kill", (PID, 0), ALLOW),
        ("kill", (PID, 10), ALLOW),
        ("kill", (PID, 9), KILL),
        ("kill", (PID, 15), KILL),
        ("kill", (0, 9), "EPERM"),
        ("kill", (1, 0), "EPERM"),
        ("kill", (2**64 - 1, 9), "EPERM"),
        ("kill", (2**64 - PID, 9), "EPERM"),
        ("tgkill", (PID, PID + 1, 6), KILL),
        ("tgkill", (PID, PID + 1, 33), ALLOW),
        ("tgkill", (1, 1, 0), "EPERM"),
        ("tkill", (PID, 6), "EPERM"),
        ("prlimit64", (0, 7), ALLOW),
        ("prlimit64", (PID, 7), ALLOW),
        ("prlimit64", (1, 7), "EPERM"),
        ("fcntl", (3, 3), ALLOW),
        ("fcntl", (3, 8), "EPERM"),
        ("fcntl", (3, 10), "EPERM"),
        ("fcntl", (3, 15), "EPERM"),
        ("ioctl", (3, 0x5401), ALLOW),
        ("ioctl", (3, 0x8901), "EPERM"),
        ("ioctl", (3, 0x8902), "EPERM"),
    ],
)
def test_decisions(machine: str, name: str, arguments: tuple[int, ...], expected: str) -> None:
    """Refused, allowed, or carried out as the end of the process."""
    assert ask(machine, name, *arguments) == expected


def test_fork_is_refused_where_it_is_a_call_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only x86_64 has it."""
    monkeypatch.setattr(seccomp, "MACHINE", "x86_64")
    assert ask("x86_64", "fork") == ask("x86_64", "vfork") == "EPERM"


def test_reading_and_writing_are_allowed(machine: str) -> None:
    """What no table names goes through."""
    program, arch = seccomp._program(PID, frozenset()), seccomp._ARCH[machine]
    for number in {"x86_64": (0, 1, 9, 202, 262), "aarch64": (63, 64, 222, 98, 79)}[machine]:
        assert decide(program, arch, number) == ALLOW


def test_calls_of_another_machine_end_the_process(machine: str) -> None:
    """32-bit calls have other numbers, and would pass unseen."""
    program = seccomp._program(PID, frozenset())
    assert decide(program, 0x40000003, 1) == KILL
    if machine == "x86_64":
        assert decide(program, seccomp._ARCH[machine], 0x40000000 | 41) == KILL


def test_cuda_may_make_memory_files(machine: str) -> None:
    """And nothing else more."""
    assert ask(machine, "memfd_create", devices=True) == ALLOW
    assert ask(machine, "memfd_secret", devices=True) == "EPERM"


def test_every_call_in_the_table_is_decided(machine: str) -> None:
    """A jump that is one too long would skip the next block."""
    for name, numbers in seccomp._NUMBERS.items():
        if numbers[MACHINES.index(machine)] is not None and name not in seccomp._BY_ARGUMENT:
            expected = "ENOSYS" if name in seccomp._NOT_IMPLEMENTED else "EPERM"
            assert ask(machine, name) == expected, name


def test_other_machines_have_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is reported as missing, not guessed at."""
    monkeypatch.setattr(seccomp, "MACHINE", "riscv64")
    assert not seccomp.supported()
