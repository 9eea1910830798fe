"""The fork server: it starts with nothing to tell, serves many at once, and takes all with it."""

from __future__ import annotations

import json
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch

from grader.sandbox.client import Server, start_fresh
from grader.sandbox.failure import SandboxUnavailable
from grader.sandbox.messages import Call, DictValue, Ended, PlainValue, Ready
from grader.sandbox.session import Session
from grader.sandbox.settings import THREAD_SETTINGS
from tests.sandbox.sandbox_runs import (
    CPU_S,
    MEMORY_MB,
    OUTPUT_KB,
    arguments,
    load,
    needs_linux,
    opened,
    run,
)

pytestmark = needs_linux

ROOT = Path(__file__).parents[2]
GONE_S = 10.0
"""How long the end of a process is waited for; it takes milliseconds."""


def pid_of(session: Session) -> int:
    """The fork's first process, by its number outside."""
    return session._line._handles.pid


def has_ended(pidfd: int) -> bool:
    """Whether the process ends; its descriptor becomes readable then."""
    ready, _, _ = select.select([pidfd], [], [], GONE_S)
    os.close(pidfd)
    return bool(ready)


def named(name: str) -> list[str]:
    """The processes of that (short) name, zombies apart."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
            if (folder / "comm").read_text().strip() == name and state != "Z":
                found.append(folder.name)
        except OSError:
            continue
    return found


# --- while it runs ---------------------------------------------------------------------------


def test_forks_run_side_by_side(server: Server) -> None:
    """Each answers its own caller, and a dead one ends no other."""
    sources = ["def f(x): return x * 2", "import os\ndef f(x): os._exit(1)"] * 4
    calls = [Call(arguments(x=torch.tensor(float(i)))) for i in range(8)]
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda pair: run(server, *pair), zip(sources, calls, strict=True)))
    assert [each.tensor.item() for each in done[::2]] == [0.0, 4.0, 8.0, 12.0]
    assert [each.ended.reason for each in done[1::2]] == ["died"] * 4


def test_the_temporary_folder_is_the_forks_own(server: Server) -> None:
    """It is where Python and torch look for one, it can be written to, and it is small."""
    source = """
        import os, tempfile
        def f():
            with tempfile.NamedTemporaryFile() as file:
                file.write(b"x")
                inside = os.path.dirname(file.name)
            same = inside == os.getcwd() == os.environ["HOME"] == os.path.dirname(__file__)
            try:
                for number in range(100):
                    with open(f"big{number}", "wb") as file:
                        file.write(bytes(10 << 20))
            except OSError as full:
                return f"{same} {number < 7}"
    """
    assert run(server, source).text == "True True"


def test_the_environment_is_the_same_for_all(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of the caller's, whenever it was set."""
    monkeypatch.setenv("GRADER_TOKEN", "secret")
    told = run(server, "import os\ndef f(): return ' '.join(os.environ)").text
    expected = {"HOME", "TMPDIR", "USER", "LOGNAME", "PATH", "LANG", *THREAD_SETTINGS}
    expected |= {"CUDA_MODULE_LOADING", "CUBLAS_WORKSPACE_CONFIG"}
    assert set(told.split()) == expected


def test_only_four_descriptors_are_open(server: Server) -> None:
    """Three streams and the channel, when the file is imported."""
    source = """
        import os
        found = []
        for fd in range(1000):
            try:
                os.fstat(fd)
                found.append(str(fd))
            except OSError: pass
        def f(): return " ".join(found)
    """
    assert run(server, source).text == "0 1 2 3"


def test_interrupting_the_grader_is_not_for_forks(server: Server) -> None:
    """They have a session of their own: Ctrl-C in a terminal reaches the parent alone."""
    with opened(server) as session:
        assert os.getsid(pid_of(session)) not in (0, os.getsid(0))


# --- what is left behind ---------------------------------------------------------------------


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for temporary files, which any user may pass through."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield Path(folder)


@pytest.mark.parametrize("kind", ["server", "server_watching", "server_without_namespaces"])
def test_nothing_is_left_of_a_fork(
    kind: str, request: pytest.FixtureRequest, temporary: Path
) -> None:
    """No process, no file, no memory group, no descriptor."""
    server: Server = request.getfixturevalue(kind)
    descriptors = set(os.listdir("/proc/self/fd"))
    with opened(server) as session:
        pidfd = os.pidfd_open(pid_of(session))
        assert isinstance(load(session, DEEP_FOLDERS), Ready)
        ended, _ = session.call(Call(()), keyword=False, timeout_s=1.0)
        assert isinstance(ended, Ended)
        group = session._line._handles.group
    assert has_ended(pidfd)
    assert list(temporary.iterdir()) == []
    assert group is None or not group.folder.exists()
    assert set(os.listdir("/proc/self/fd")) == descriptors


DEEP_FOLDERS = """
import os
def f():
    for _ in range(500):
        os.mkdir("d")
        os.chdir("d")
    os.chmod(".", 0)
    while True: pass
"""


@pytest.mark.parametrize("left_out", [("seccomp",), ("namespaces", "seccomp")])
def test_processes_that_a_solution_started_go_with_it(left_out: tuple[str, ...]) -> None:
    """By their pid namespace, else by their memory group, though they left the session."""
    name = f"left-{secrets.token_hex(4)}"
    source = f"""
        import ctypes, os, time
        def f():
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    ctypes.CDLL(None).prctl(15, b"{name}", 0, 0, 0)
                    os.write(1, b"started")
                    time.sleep(60)
                os._exit(0)
            while True: pass
    """
    with start_fresh().settle(without=left_out) as server:
        if "namespaces" in left_out and server.isolation.memory != "cgroup":
            pytest.skip("without namespaces or a memory group, who leaves the session is lost")
        done = run(server, source, timeout_s=1.0)
        assert (done.ended.reason, done.output.text) == ("time", "started")
        assert named(name) == []


def test_a_thread_that_outlives_the_call_ends_with_the_fork(server: Server) -> None:
    """And changes nothing that was answered."""
    source = """
        import threading, torch
        def f(x):
            y = torch.zeros(2)
            threading.Thread(target=lambda: [y.fill_(1) for _ in iter(int, 1)]).start()
            return y * 0 + 3
    """
    done = run(server, source, Call(arguments(x=torch.ones(2))))
    assert done.tensor.tolist() == [3.0, 3.0]
    assert done.wall_s < 5


def test_closing_a_server_ends_its_forks() -> None:
    """Also one that is busy; its session finds that out, and the folder and group are gone."""
    server = start_fresh().settle()
    pidfd = os.pidfd_open(server._pid)
    with opened(server) as session:
        fork = os.pidfd_open(pid_of(session))
        server.close()
        assert has_ended(fork)
        with pytest.raises(SandboxUnavailable, match="ended"):
            load(session, "def f(): pass")
    server.close()
    assert has_ended(pidfd)


def test_closing_does_not_wait_for_others_who_hold_the_socket() -> None:
    """A process that this one forked meanwhile has a copy of it."""
    server = start_fresh().settle()
    copy = socket.socket(fileno=os.dup(server._control.fileno()))
    with copy:
        pidfd = os.pidfd_open(server._pid)
        server.close()
        assert has_ended(pidfd)


def test_a_server_that_is_gone_is_our_failure(temporary: Path) -> None:
    """Never a verdict about the solution; neither folder nor descriptors are left of the try."""
    with start_fresh().settle(without=["namespaces"]) as server:
        os.kill(server._pid, signal.SIGKILL)
        os.waitpid(server._pid, 0)
        descriptors = set(os.listdir("/proc/self/fd"))
        with pytest.raises(SandboxUnavailable, match="gave no fork"):
            server.open_session(memory_mb=MEMORY_MB, output_kb=OUTPUT_KB, cpu_s=CPU_S)
        assert set(os.listdir("/proc/self/fd")) == descriptors
    assert list(temporary.iterdir()) == []


def test_a_server_that_is_never_settled_ends_too() -> None:
    """When nothing was to be graded after all."""
    server = start_fresh()
    pidfd = os.pidfd_open(server._pid)
    server.close()
    assert has_ended(pidfd)


PARENT = """
import os, sys, threading
from grader.sandbox.client import start_fresh
server = start_fresh().settle(without=sys.argv[1:])
session = server.open_session(memory_mb=1024, output_kb=64, cpu_s=60)
loop = dict(name="s.py", entry="f", required=(), optional=(), timeout_s=60)
source = b"print('busy', flush=True)\\nwhile True: pass"
threading.Thread(target=session.load, args=(source,), kwargs=loop, daemon=True).start()
while not session._line._printed: pass
print(server._pid, session._line._handles.pid, flush=True)
input()
"""


@pytest.mark.parametrize("left_out", [(), ("namespaces",)])
def test_the_server_and_its_forks_end_with_the_parent(
    left_out: tuple[str, ...], temporary: Path
) -> None:
    """The parent is killed outright, the fork is in a loop; its folder goes too."""
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, *left_out],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(temporary)},
    ) as parent:
        assert parent.stdout is not None
        pidfds = [os.pidfd_open(int(pid)) for pid in parent.stdout.readline().split()]
        assert len(pidfds) == 2
        parent.kill()
        assert [has_ended(pidfd) for pidfd in pidfds] == [True, True]
        assert list(temporary.iterdir()) == []


def test_forks_end_when_the_server_is_killed() -> None:
    """Also where they run as another user, whose coming makes the kernel forget the bond."""
    with start_fresh().settle(without=["namespaces"]) as server, opened(server) as session:
        assert isinstance(load(session, "def f():\n    while True: pass"), Ready)
        fork = os.pidfd_open(pid_of(session))
        with ThreadPoolExecutor(1) as pool:
            call = pool.submit(session.call, Call(()), keyword=False, timeout_s=GONE_S)
            os.kill(server._pid, signal.SIGKILL)
            assert has_ended(fork)
            with pytest.raises(SandboxUnavailable, match="the fork server ended"):
                call.result()


# --- starting --------------------------------------------------------------------------------


BY_FORK = """
import sys, torch
from grader.sandbox.client import start_by_fork
with start_by_fork() as server:
    from grader.sandbox.messages import Call, Argument
    server.settle()
    with server.open_session(memory_mb=1024, output_kb=64, cpu_s=20) as session:
        source = b"def f(x): return x + 1"
        ready = session.load(
            source, name="s.py", entry="f", required=("x",), optional=(), timeout_s=10
        )
        call = Call((Argument("x", torch.ones(2)),))
        answer, _ = session.call(call, keyword=False, timeout_s=10)
        print(ready, answer.value.data.tolist(), server.isolation.namespaces)
"""


def test_a_server_can_be_forked_off_a_process_that_holds_torch(server: Server) -> None:
    """One import of torch for both; what is enforced is the same."""
    done = subprocess.run(
        [sys.executable, "-c", BY_FORK],
        env=os.environ | THREAD_SETTINGS,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert done.stdout == f"Ready(keyword=False) [2.0, 2.0] {server.isolation.namespaces}\n"
    assert done.stderr == ""


def test_a_server_that_cannot_start_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the interpreter is none."""
    monkeypatch.setattr(sys, "executable", "/bin/false")
    server = start_fresh()
    with pytest.raises(SandboxUnavailable, match=r"ended while starting|does not answer"):
        server.settle()
    server.close()


def test_a_server_that_fails_says_why() -> None:
    """Its own error crosses the socket."""
    failure = "the fork server failed: KeyError: 'mode'"
    with start_fresh() as server, pytest.raises(SandboxUnavailable, match=failure):
        server._told({})


def test_other_systems_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one sentence, with a way out."""
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(SandboxUnavailable, match=r"Linux only; .* use a container"):
        start_fresh()


# --- no secrets ------------------------------------------------------------------------------

SCANNER = '''
import json, os, re

CONTROL = "control-" + str(31415926)

def places(prefix, last):
    """How often the text is in this process's own writable memory; it is never put together."""
    found = 0
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            span, access, *_ = line.split()
            if not access.startswith("rw"):
                continue
            start, end = (int(at, 16) for at in span.split("-"))
            memory.seek(start)
            try:
                held = memory.read(end - start)
            except OSError:
                continue
            for match in re.finditer(re.escape(prefix), held):
                found += held[match.end() : match.end() + len(last)] == last
            del held
    return found

def scan(needles):
    """Of each needle, how often it was found."""
    return {
        name: places(bytes.fromhex(prefix), bytes.fromhex(last))
        for name, (prefix, last) in needles.items()
    }
'''


def needles(**texts: str) -> dict[str, tuple[str, str]]:
    """Each text as UTF-8 and as UTF-32, cut in two before its last character, in hexadecimal."""
    return {
        f"{name} as {encoding}": (
            text[:-1].encode(encoding).hex(),
            text[-1].encode(encoding).hex(),
        )
        for name, text in texts.items()
        for encoding in ("utf-8", "utf-32-le")
    }


CONTROL = "control-31415926"


def test_a_fresh_server_holds_nothing_of_its_starter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither its environment nor its arguments nor its memory; read where nothing prevents it."""
    token, argument = secrets.token_hex(16), secrets.token_hex(16)
    monkeypatch.setenv("GRADER_TOKEN", token)
    monkeypatch.setattr(sys, "argv", ["grade", argument])
    sought = needles(token=token, argument=argument, control=CONTROL)
    source = SCANNER + textwrap.dedent(f"""
        def f():
            with open("/proc/self/environ", "rb") as file:
                names = [pair.split(b"=")[0].decode() for pair in file.read().split(bytes(1))]
            return scan({sought!r}) | {{"environment": " ".join(filter(None, names))}}
    """)
    with start_fresh().settle("none") as server:
        value = run(server, source).answer.value
    assert isinstance(value, DictValue)
    told = {key: item.text for key, item in value.items if isinstance(item, PlainValue)}
    assert set(told.pop("environment").split()) == set(THREAD_SETTINGS)
    assert int(told.pop("control as utf-8")) > 0
    told.pop("control as utf-32-le")
    assert told == dict.fromkeys(told, "0")
    assert len(told) == 4


def test_a_grade_holds_no_seed_and_no_token(tmp_path: Path) -> None:
    """The whole way: the command line, its restart, the server forked off it, the solution."""
    seed, token = "7305518829164403", secrets.token_hex(16)
    sought, told = tmp_path / "sought.json", tmp_path / "told.json"
    sought.write_text(json.dumps(needles(seed=seed, token=token, control=CONTROL)))
    solution = tmp_path / "scans.py"
    solution.write_text(
        SCANNER
        + f"with open({str(sought)!r}) as file: sought = json.load(file)\n"
        + f"with open({str(told)!r}, 'w') as file: json.dump(scan(sought), file)\n"
        + "def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6): 0\n"
    )
    done = subprocess.run(
        [sys.executable, "cli.py", "grade", solution, "--seed", seed, "--sandbox", "none"],
        env=os.environ | {"GRADER_TOKEN": token},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert seed in done.stdout
    found = json.loads(told.read_text())
    assert found.pop("control as utf-8") > 0
    found.pop("control as utf-32-le")
    assert found == {
        "seed as utf-8": 0,
        "seed as utf-32-le": 0,
        "token as utf-8": 0,
        "token as utf-32-le": 0,
    }


def test_a_grade_in_a_locale_without_utf8(tmp_path: Path) -> None:
    """Comments, names, paths and output in any alphabet."""
    solution = tmp_path / "lösung.py"
    solution.write_text(
        "# ein Gruß → ☃\nprint('Gruß')\ndef größe(x): return x\n"
        "def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):\n"
        "    raise ValueError('Größe')\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "cli.py", "check", solution, "--json", "--seed", "3"],
        env={"PATH": os.environ["PATH"], "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
        | {"PYTHONUTF8": "0"},
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert "ValueError: Größe" in json.dumps(report, ensure_ascii=False)


def test_ended_is_what_a_caller_sees_of_a_fork_that_is_closed(server: Server) -> None:
    """After the session is over, too."""
    with opened(server) as session:
        assert isinstance(load(session, "def f(): return 1"), Ready)
    outcome, _ = session.call(Call(()), keyword=False, timeout_s=1)
    assert outcome == Ended("lost", "closed")
