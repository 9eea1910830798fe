"""The clean start: what is parked comes back whole, and the fork server never had it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.cli import startup
from tests.cli.cli_process import ROOT, TIMEOUT_S

# Written so that this text itself is not what is looked for.
SECRET = "".join(["tensor-grader", "-secret-", "271828"])

PROBE = '''
"""Starts as the program does, then tells what it holds and what its fork server holds."""
import json, os, sys
from pathlib import Path

from grader.cli import startup

start = startup.Start(None)
start.clean()
server = start.server()
pid = server._pid


def memory_holds(text):
    """Whether a writable page of the server has the text; None where it may not be read."""
    try:
        memory = open(f"/proc/{pid}/mem", "rb", 0)
    except OSError:
        return None
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        place, rights = line.split()[:2]
        first, last = (int(end, 16) for end in place.split("-"))
        if rights.startswith("rw") and "[v" not in line:
            memory.seek(first)
            if text.encode() in memory.read(last - first):
                return True
    return False


secret = os.environ.get("SECRET", "no secret was given")
told = {
    "argv": start.argv,
    "environment": dict(os.environ),
    "server_environment": Path(f"/proc/{pid}/environ").read_bytes().decode("latin-1"),
    "server_arguments": Path(f"/proc/{pid}/cmdline").read_bytes().decode("latin-1"),
    "memory_holds_secret": memory_holds(secret),
}
server.close()
print(json.dumps(told))
'''


def probe(folder: Path, start: list[str], words: list[bytes], extra: dict[bytes, bytes]) -> Any:
    """Run the probe, started by `start`, with `words` and with `extra` in the environment."""
    (folder / "probe").mkdir()
    for name in ("probe.py", "probe/__main__.py"):
        (folder / name).write_text(PROBE)
    environment = {
        **{name: os.environb[name] for name in (b"PATH", b"LANG") if name in os.environb},
        b"PYTHONPATH": os.fsencode(ROOT),
        **extra,
    }
    done = subprocess.run(
        [os.fsencode(sys.executable), *map(os.fsencode, start), *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.stderr == b""
    return json.loads(done.stdout), environment


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="nothing is parked without memfd")
@pytest.mark.parametrize("start", [["probe.py"], ["-m", "probe"], ["-O", "probe.py"]])
def test_arguments_and_environment_come_back_whole(tmp_path: Path, start: list[str]) -> None:
    """Empty strings, line ends and bytes that are no UTF-8 survive the restart, in their order;
    the server has neither arguments nor secrets, in its environment, its command or its memory."""
    words = [b"grade", b"", SECRET.encode(), b"\xff\xfe.py", b"--seed", b"a b\n\"'", "é".encode()]
    extra = {b"SECRET": SECRET.encode(), b"EMPTY": b"", b"ODD": b"\xff=\n", b"LC_ALL": b"C.UTF-8"}
    told, given = probe(tmp_path, start, words, extra)
    assert [os.fsencode(word) for word in told["argv"]] == words
    found = {os.fsencode(n): os.fsencode(v) for n, v in told["environment"].items()}
    assert found == given
    assert SECRET not in told["server_environment"]
    assert SECRET not in told["server_arguments"]
    assert "LC_ALL=C.UTF-8" in told["server_environment"]
    assert not told["memory_holds_secret"]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("PATH", True),
        ("PYTHONPATH", True),
        ("LD_LIBRARY_PATH", True),
        ("LC_ALL", True),
        ("VIRTUAL_ENV", True),
        ("TENSOR_GRADER_TRACEBACK", True),
        ("GITHUB_TOKEN", False),
        ("HOME", False),
        ("AWS_SECRET_ACCESS_KEY", False),
        ("PATHS", False),
        ("MYPYTHONPATH", False),
    ],
)
def test_only_what_the_interpreter_needs_is_kept(name: str, kept: bool) -> None:
    """The server is started with an allow-list: a token has a name that nobody can foresee."""
    assert startup._is_kept(name) is kept


@pytest.mark.parametrize(
    ("started", "count", "expected"),
    [
        (["python", "cli.py", "grade", "a.py"], 2, ["cli.py"]),
        (["python", "-m", "grader", "grade", "a.py"], 2, ["-m", "grader"]),
        (["python", "-X", "utf8", "cli.py"], 0, ["-X", "utf8", "cli.py"]),
        (["python", "/bin/tensor-grader", "grade", "grade"], 2, ["/bin/tensor-grader"]),
    ],
)
def test_the_program_is_started_again_as_it_was(
    monkeypatch: pytest.MonkeyPatch, started: list[str], count: int, expected: list[str]
) -> None:
    """The interpreter's own options stay, the program's arguments go."""
    monkeypatch.setattr(sys, "orig_argv", started)
    assert startup._interpreter_arguments(count) == expected


def refuse(*_: object) -> None:
    raise AssertionError("it started again")


def test_a_part_of_another_program_never_restarts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Called with arguments of its own, as from a notebook, it must not replace the process."""
    monkeypatch.setattr(os, "execve", refuse)
    start = startup.Start(["grade", "a.py"])
    start.clean()
    assert start.argv == ["grade", "a.py"]


def test_without_memory_files_there_is_no_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    """On other systems than Linux the server is a fresh interpreter instead."""
    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setattr(os, "execve", refuse)
    monkeypatch.setattr(sys, "argv", ["cli.py", "grade", "a.py"])
    start = startup.Start(None)
    start.clean()
    assert start.argv == ["grade", "a.py"]
