"""The problems of this repository, audited: nothing must be found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.cli_process import ROOT, run_cli

PROBLEMS = sorted(path.parent.name for path in ROOT.glob("problems/*/problem.yaml"))


@pytest.fixture(scope="module", params=PROBLEMS)
def audit(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The audit of a problem at three seeds, as JSON."""
    path: Path = tmp_path_factory.mktemp("audit") / "audit.json"
    run_cli("audit", request.param, "--seeds", "3", "--report", path)
    return json.loads(path.read_text())


@pytest.mark.slow
def test_it_is_sound(audit: Any) -> None:
    """No fault, and nothing to look at."""
    told = [f"{remark['check']}: {remark['message']}" for remark in audit["remarks"]]
    assert (told, audit["passed"]) == ([], True)


@pytest.mark.slow
def test_every_mistake_is_clearly_rejected(audit: Any) -> None:
    """Each way to make a trap by some case, and each mutant that is not declared equivalent."""
    for row in audit["traps"]:
        errors = row["errors"].values()
        assert any(error is None or error >= 10 for error in errors), row["row"]
    left = [m["id"] for m in audit["mutants"] if m["killed_by"] is None and not m["declared"]]
    assert left == []
