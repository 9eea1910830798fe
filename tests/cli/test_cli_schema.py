"""`schema`: what is published is what is printed, and the specs point at it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli import main
from tests.cli.cli_process import ROOT

PUBLISHED = {
    (): ROOT / "grader" / "problem" / "problem.schema.json",
    ("--report",): ROOT / "grader" / "report" / "report.schema.json",
}
POINTER = "# yaml-language-server: $schema="
SPECS = sorted([*ROOT.glob("problems/*/problem.yaml"), *ROOT.glob("tests/problems/*/problem.yaml")])


@pytest.mark.parametrize("options", PUBLISHED, ids=" ".join)
def test_the_published_file_is_printed(
    options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """To the letter, and nothing else."""
    assert main(["schema", *options]) == 0
    out, err = capsys.readouterr()
    assert (out, err) == (PUBLISHED[options].read_text(encoding="utf-8"), "")


@pytest.mark.parametrize("options", PUBLISHED, ids=" ".join)
def test_it_needs_no_utf8_and_nothing_heavy(options: tuple[str, ...]) -> None:
    """Plain ASCII, and neither torch nor pydantic is imported for it."""
    code = (
        "import sys; from grader.cli import main; main(['schema', *sys.argv[1:]]); "
        "sys.exit(','.join({'torch', 'numpy', 'pydantic', 'rich'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *options],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii:strict"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["$schema"].endswith("draft/2020-12/schema")


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.parent.name)
def test_every_spec_here_points_at_the_schema(spec: Path) -> None:
    """On its first line, where an editor looks, and relative, so that it holds in any checkout."""
    first = spec.read_text(encoding="utf-8").partition("\n")[0]
    assert first.startswith(POINTER)
    target = first.removeprefix(POINTER)
    assert not Path(target).is_absolute()
    assert (spec.parent / target).resolve() == PUBLISHED[()]


def test_the_spec_in_the_readme_points_at_it_too() -> None:
    """It is there to be copied."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    spec = text.partition("```yaml\n# yaml-language-server")[2].partition("```")[0]
    assert "format_version: 1" in spec
    assert text.count("format_version: 1") == 1
