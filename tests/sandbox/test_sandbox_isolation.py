"""What holds a solution, tried from inside; and with mechanisms left out, as on weaker machines.

What must be held follows from what is in force, so the same table serves a container, a user
without namespaces and an old kernel.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.results import Isolation
from grader.sandbox import confinement, view
from grader.sandbox.client import Server, start_fresh
from grader.sandbox.failure import SandboxUnavailable
from grader.sandbox.kernel.landlock import abi
from grader.sandbox.probe import Probed, probe
from tests.sandbox.sandbox_runs import needs_linux, run

pytestmark = needs_linux

ROOT = Path(__file__).parents[2]
FILES = {
    "files of others cannot be read",
    "nothing can be written outside its own folder",
    "other processes cannot be traced",
}
BY_SECCOMP_ALONE = {
    "no local sockets",
    "no further processes",
    "no memory beside what is watched",
}
SIGNALS, NETWORK = "other processes cannot be signalled", "no network"
ALWAYS = {"the caller's environment is gone", "memory is limited"}
ALL = FILES | BY_SECCOMP_ALONE | {SIGNALS, NETWORK} | ALWAYS


def may_be_open(isolation: Isolation) -> set[str]:
    """What nothing that is in force is there to hold."""
    apart, landlock, filtered = isolation.namespaces, isolation.landlock, isolation.seccomp
    return (
        (set() if apart or landlock else FILES)
        | (set() if filtered else BY_SECCOMP_ALONE)
        | (set() if apart or filtered else {NETWORK})
        | (set() if apart or filtered or landlock >= 6 else {SIGNALS})
    )


def assert_held(probed: Probed) -> None:
    """All was tried, and all that should be is held."""
    assert {check.name for check in probed.checks} == ALL
    still_open = {check.name for check in probed.checks if not check.held}
    assert still_open <= may_be_open(probed.isolation)


@pytest.mark.parametrize(
    "left_out",
    [
        (),
        ("landlock",),
        ("namespaces",),
        ("namespaces", "landlock"),
        ("seccomp",),
        ("namespaces", "seccomp"),
        ("cgroup",),
    ],
    ids=lambda names: " and ".join(names) or "nothing",
)
def test_what_is_in_force_holds(left_out: tuple[str, ...]) -> None:
    """And what was left out is not claimed."""
    probed = probe(without=left_out)
    isolation = probed.isolation
    assert_held(probed)
    assert not ("namespaces" in left_out and isolation.namespaces)
    assert not ("landlock" in left_out and isolation.landlock)
    assert not ("seccomp" in left_out and isolation.seccomp)
    assert not ("cgroup" in left_out and isolation.memory == "cgroup")


def test_without_a_sandbox_limits_still_hold() -> None:
    """Time and memory are held from outside, and the environment was never there."""
    probed = probe("none")
    assert {check.name for check in probed.checks if check.held} >= ALWAYS
    assert (probed.isolation.namespaces, probed.isolation.landlock) == (False, 0)
    assert probed.isolation.network == "host"


def test_strict_refuses_without_namespaces_and_landlock() -> None:
    """Files would be within reach."""
    with pytest.raises(SandboxUnavailable, match="neither namespaces nor Landlock"):
        probe("strict", without=["namespaces", "landlock"])


def test_strict_is_content_with_landlock() -> None:
    """One of the two keeps files out of reach."""
    if not abi():
        pytest.skip("this machine has no Landlock")
    with start_fresh().settle("strict", without=["namespaces"]) as server:
        assert server.isolation.landlock


# --- as another user -------------------------------------------------------------------------

AS_OTHER_USER = """
import json, sys
from grader.sandbox.probe import probe
probed = probe(without=sys.argv[1:])
held = {check.name: check.held for check in probed.checks}
print(json.dumps([probed.isolation.namespaces, probed.isolation.landlock, held]))
"""


@pytest.mark.parametrize("left_out", [(), ("namespaces",)])
def test_an_ordinary_user_is_held_as_well(left_out: tuple[str, ...]) -> None:
    """Namespaces need no root, nor does Landlock."""
    if os.geteuid() != 0:
        pytest.skip("an ordinary user runs all of these tests already")
    needed = [
        str(ROOT),
        sys.executable,
        sysconfig.get_path("stdlib"),
        sysconfig.get_path("purelib"),
    ]
    if not confinement._all_may_read([os.path.realpath(path) for path in needed]):
        pytest.skip("another user cannot read this interpreter or this checkout")
    done = subprocess.run(
        [sys.executable, "-c", AS_OTHER_USER, *left_out],
        cwd=ROOT,
        env={"HOME": "/", "PYTHONDONTWRITEBYTECODE": "1"},
        user=65534,
        group=65534,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    namespaces, landlock, held = json.loads(done.stdout)
    if namespaces or landlock:
        assert {name for name, was_held in held.items() if not was_held} == set()


# --- what only a hostile file would try ------------------------------------------------------

ACTS = [
    "resource.prlimit(PARENT, resource.RLIMIT_CPU)",
    "fcntl.fcntl(3, fcntl.F_SETOWN, PARENT)",
    "fcntl.fcntl(3, 15, struct.pack('ii', 1, PARENT))",
    "fcntl.ioctl(3, 0x8901, struct.pack('i', PARENT))",
    "fcntl.fcntl(3, 10, signal.SIGKILL)",
    "os.kill(0, signal.SIGKILL)",
    "os.kill(-1, signal.SIGKILL)",
    "os.kill(PARENT, signal.SIGKILL)",
    "os.pidfd_open(PARENT)",
    "open(f'/proc/{PARENT}/environ').read()",
    "open(f'/proc/{PARENT}/mem').read()",
    "open('/proc/self/environ').read()",
    "os.listdir('/proc')",
    "os.listdir('/home')",
    "os.mkdir('/tmp/here')",
    "os.open('/dev/shm/x', os.O_CREAT | os.O_RDWR)",
    "os.execv('/bin/true', ['true'])",
    "os.posix_spawn('/bin/true', ['true'], {})",
    "os.fork()",
    "socket.socket(socket.AF_UNIX)",
    "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "resource.setrlimit(resource.RLIMIT_CPU, (10**6, 10**6))",
    "resource.setrlimit(resource.RLIMIT_NOFILE, (10**5, 10**5))",
    "os.chown('.', 1, 1)",
    "os.chroot('.')",
    "os.memfd_create('x')",
]


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("kind", ["server", "server_without_namespaces"])
def test_an_act_is_refused(kind: str, act: str, request: pytest.FixtureRequest) -> None:
    """By the system, with namespaces and without; `PARENT` is the grader's own process."""
    server: Server = request.getfixturevalue(kind)
    if not (server.isolation.seccomp and server.isolation.landlock):
        pytest.skip("this machine lacks seccomp or Landlock")
    imports = f"import fcntl, os, resource, signal, socket, struct\nPARENT = {os.getpid()}\n"
    raised = run(server, f"{imports}def f(): {act}").raised
    refusals = {"PermissionError", "FileNotFoundError", "BlockingIOError", "OSError"}
    assert raised.type in refusals | ({"ValueError"} if "setrlimit" in act else set()), raised


# --- secrets below what can be read ----------------------------------------------------------


@pytest.fixture(params=[(), ("landlock",), ("namespaces",)], ids=["all", "no Landlock", "no ns"])
def guarded(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Server, Path]]:
    """A server whose packages lie, by way of a link, beside a problem and among submissions."""
    real = tmp_path / "project" / "venv" / "site-packages"
    (real / "probs" / "inner").mkdir(parents=True)
    (real / "probs" / "inner" / "secret.txt").write_text("secret")
    (real / "public").mkdir()
    (real / "public" / "__init__.py").write_text("value = 42")
    (tmp_path / "project" / "submission.py").write_text("secret")
    (tmp_path / "linked").symlink_to(tmp_path / "project" / "venv")
    monkeypatch.syspath_prepend(str(tmp_path / "linked" / "site-packages"))
    private = [str(real / "probs"), str(tmp_path / "project")]
    with start_fresh().settle(private=private, without=request.param) as server:
        if not (server.isolation.namespaces or server.isolation.landlock):
            pytest.skip("this machine has neither namespaces nor Landlock")
        yield server, tmp_path


def test_a_problem_among_the_packages_cannot_be_read(guarded: tuple[Server, Path]) -> None:
    """Under neither of its names, by no way round; the packages can."""
    server, top = guarded
    places = [
        str(top / way / "site-packages" / "probs" / "inner" / "secret.txt")
        for way in ("linked", "project/venv")
    ]
    places.append(str(top / "linked" / "site-packages" / "public" / ".." / "probs" / "inner"))
    places.append(str(top / "project" / "submission.py"))
    places += [str(view.PACKAGE / "results.py"), str(ROOT / "pyproject.toml")]
    source = f"""
        import os
        import public
        def f():
            found = []
            for place in {places!r}:
                try:
                    found.append(open(place).read() if place[-4] == "." else os.listdir(place))
                except OSError: pass
                try:
                    os.rename(place, "stolen")
                    found.append(place)
                except OSError: pass
            return f"{{public.value}} {{found}}"
    """
    assert run(server, source).text == "42 []"
