"""A hostile solution, for `doctor`: each attempt says "held: why" or "open: what it got"."""

import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path

SECRET = ""
PARENT = 0


def attempt() -> dict[str, str]:
    tries: dict[str, Callable[[], object]] = {
        "secret": lambda: Path(SECRET).read_text(),
        "write": _write,
        "environment": _environment,
        "socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(
            ("127.0.0.1", 9)
        ),
        "unix_socket": lambda: socket.socket(socket.AF_UNIX),
        "fork": _fork,
        "signal": lambda: os.kill(PARENT, 0),
        "trace": lambda: os.open(f"/proc/{PARENT}/mem", os.O_RDONLY),
        "memory_file": lambda: os.memfd_create("hoard"),
    }
    return {name: _tell(act) for name, act in tries.items()}


def hoard() -> None:
    held: list[bytearray] = []
    while True:
        held.append(bytearray(64 << 20))
        for block in held[-1:]:
            block[:: 1 << 12] = b"x" * len(block[:: 1 << 12])


def _tell(act: Callable[[], object]) -> str:
    try:
        got = act()
    except OSError as error:
        return f"held: {error.strerror}"
    except LookupError as error:
        return f"held: {error}"
    return f"open: {str(got)[:40]}"


def _write() -> str:
    last = OSError("nowhere to try")
    for folder in ("/usr", "/lib", "/var/tmp", "/tmp", "/dev/shm", "/home", "/root"):
        try:
            with open(os.path.join(folder, "tensor-grader-probe"), "w"):
                pass
        except OSError as error:
            last = error
            continue
        os.unlink(os.path.join(folder, "tensor-grader-probe"))
        return folder
    raise last


def _environment() -> str:
    known = {"HOME", "TMPDIR", "USER", "LOGNAME", "PATH", "LANG"}
    more = [name for name in os.environ if name not in known and not name.endswith("_THREADS")]
    more = [name for name in more if not name.startswith(("CUDA", "CUBLAS", "KMP_", "TORCH"))]
    if more:
        return ", ".join(more)
    raise LookupError("only what a solution needs is set")


def _fork() -> str:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return f"process {child}"
