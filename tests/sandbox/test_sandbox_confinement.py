"""Plans: what is to be enforced, what it is called in the report, and whether it is enough."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from grader.results import Isolation
from grader.sandbox import confinement
from grader.sandbox.confinement import Plan, describe, is_strict, make_plan
from grader.sandbox.kernel import landlock, namespaces, seccomp
from tests.sandbox.sandbox_runs import needs_linux

pytestmark = needs_linux

FULL = Plan(
    namespaces=True,
    landlock=6,
    seccomp=True,
    uid=None,
    readable=("/usr/lib",),
    devices=(),
    private=(),
    cuda=False,
)


@pytest.fixture
def strong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has everything, and root."""
    monkeypatch.setattr(namespaces, "available", lambda: True)
    monkeypatch.setattr(landlock, "abi", lambda: 6)
    monkeypatch.setattr(seccomp, "supported", lambda: True)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(confinement, "_all_may_read", lambda paths: True)


@pytest.mark.usefixtures("strong")
def test_everything_is_taken_where_it_is_to_be_had() -> None:
    """In a namespace of its own there is no need of another user."""
    plan = make_plan("auto", [], [], cuda=False)
    assert (plan.namespaces, plan.landlock, plan.seccomp, plan.uid) == (True, 6, True, None)


@pytest.mark.usefixtures("strong")
def test_plain_root_becomes_nobody() -> None:
    """Without namespaces, where others may read the interpreter."""
    assert make_plan("auto", [], ["namespaces"], cuda=False).uid == 65534


@pytest.mark.usefixtures("strong")
def test_root_stays_where_only_root_may_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the report says so."""
    monkeypatch.setattr(confinement, "_all_may_read", lambda paths: False)
    plan = make_plan("auto", [], ["namespaces"], cuda=False)
    assert plan.uid is None
    missing = describe(plan, "rss").missing
    assert [text.partition(" (")[0] for text in missing] == ["namespaces", "a user of its own"]


@pytest.mark.usefixtures("strong")
def test_none_is_nothing() -> None:
    """As asked."""
    plan = make_plan("none", [], [], cuda=False)
    assert plan == Plan(False, 0, False, None, (), (), (), cuda=False)
    assert describe(plan, "rss").network == "host"


@pytest.mark.usefixtures("strong")
@pytest.mark.parametrize("without", ["namespaces", "landlock", "seccomp"])
def test_a_mechanism_can_be_left_out(without: str) -> None:
    """It alone, and the report names it."""
    plan = make_plan("auto", [], [without], cuda=False)
    left = {name for name in ("namespaces", "landlock", "seccomp") if not getattr(plan, name)}
    assert left == {without}
    assert [text.lower() for text in describe(plan, "rss").missing] == [without]


@pytest.mark.usefixtures("strong")
def test_private_folders_below_readable_ones_are_in_the_plan(tmp_path: Path) -> None:
    """Others are out of reach anyway; the grader itself may be either."""
    below = Path(os.path.realpath(os.__file__)).parent
    plan = make_plan("auto", [str(below / "json"), str(tmp_path)], [], cuda=False)
    assert str(below / "json") in {os.path.realpath(path) for path in plan.private}
    assert str(tmp_path) not in plan.private


@pytest.mark.parametrize(
    ("isolation", "expected"),
    [
        (Isolation(True, 0, "rss", "none"), True),
        (Isolation(False, 1, "rss", "host"), True),
        (Isolation(False, 0, "cgroup", "none", seccomp=True), False),
    ],
)
def test_strict_asks_for_namespaces_or_landlock(isolation: Isolation, expected: bool) -> None:
    """seccomp alone leaves all files in reach."""
    assert is_strict(isolation) is expected


@pytest.mark.parametrize(
    ("namespaces_on", "seccomp_on", "network"),
    [(True, True, "none"), (True, False, "none"), (False, True, "none"), (False, False, "host")],
)
def test_the_network_is_gone_by_either(namespaces_on: bool, seccomp_on: bool, network: str) -> None:
    """A namespace without interfaces, or no sockets at all."""
    plan = replace(FULL, namespaces=namespaces_on, seccomp=seccomp_on)
    assert describe(plan, "rss").network == network


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        ({"home": 0o755, "home/lib": 0o755}, True),
        ({"home": 0o711, "home/lib": 0o755}, True),
        ({"home": 0o700, "home/lib": 0o755}, False),
        ({"home": 0o744, "home/lib": 0o755}, False),
        ({"home": 0o755, "home/lib": 0o711}, False),
        ({"home": 0o755, "home/lib": 0o754}, False),
        ({"home": 0o755, "home/lib": 0o755, "home/lib/file": 0o600}, False),
        ({"home": 0o755, "home/lib": 0o711, "home/lib/file": 0o644}, True),
    ],
)
def test_others_must_be_let_through_and_in(
    tmp_path: Path, modes: dict[str, int], expected: bool
) -> None:
    """Each folder on the way can be passed, the last one be listed, a file be read."""
    top = Path(tempfile.gettempdir())
    for path in (tmp_path, *(each for each in tmp_path.parents if top in each.parents)):
        path.chmod(0o755)
    (tmp_path / "home" / "lib").mkdir(parents=True)
    (tmp_path / "home" / "lib" / "file").touch()
    for name, mode in modes.items():
        (tmp_path / name).chmod(mode)
    assert confinement._all_may_read([str(tmp_path / list(modes)[-1])]) is expected


def test_what_is_not_there_cannot_be_read(tmp_path: Path) -> None:
    """Nor what leads to it."""
    assert not confinement._all_may_read([str(tmp_path / "never")])
