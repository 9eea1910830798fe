"""`doctor`: what was probed, in words; the probe is a fake."""

from __future__ import annotations

import pytest

from grader.cli import doctor, main
from grader.results import Isolation
from grader.sandbox import probe
from grader.sandbox.failure import SandboxUnavailable
from tests.cli.cli_fakes import ISOLATION

WEAK = Isolation(False, 0, "rss", "host", missing=("namespaces are refused here",))


@pytest.fixture(autouse=True)
def _no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The versions are not what is tested here."""
    monkeypatch.setattr(doctor, "_torch", lambda: [("torch", "9.9")])


def probing(monkeypatch: pytest.MonkeyPatch, isolation: Isolation) -> None:
    checks = (
        probe.Probe("reading the problems", held=True, detail="permission denied"),
        probe.Probe("opening a socket", held=False, detail="it opened"),
        probe.Probe("memory", held=None),
    )
    found = probe.Probed(isolation, checks)
    monkeypatch.setattr(probe, "probe", lambda mode: found)


def test_every_check_is_a_line_with_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Held, open, or not tried; then the versions."""
    probing(monkeypatch, ISOLATION)
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "  namespaces, landlock 6, memory by RSS, no network\n" in out
    assert "  held       reading the problems: permission denied\n" in out
    assert "  open       opening a socket: it opened\n" in out
    assert "  not tried  memory\n" in out
    assert "  torch      9.9\n" in out


@pytest.mark.parametrize(("isolation", "code"), [(ISOLATION, 0), (WEAK, 4)])
def test_strict_asks_for_namespaces_and_landlock(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    isolation: Isolation,
    code: int,
) -> None:
    """Below them the exit code is 4, after all was printed."""
    probing(monkeypatch, isolation)
    assert main(["doctor", "--sandbox", "strict"]) == code
    out, err = capsys.readouterr()
    assert "torch      9.9" in out
    assert bool(err) == (code == 4)


def test_a_weak_machine_is_fine_when_not_strict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is missing is said."""
    probing(monkeypatch, WEAK)
    assert main(["doctor"]) == 0
    assert "missing: namespaces are refused here" in capsys.readouterr().out


def test_no_sandbox_at_all_is_exit_4(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the reason that the sandbox gave."""

    def refuse(mode: str) -> None:
        raise SandboxUnavailable("no fork here")

    monkeypatch.setattr(probe, "probe", refuse)
    assert main(["doctor"]) == 4
    assert capsys.readouterr().err == "error: no fork here\n"
