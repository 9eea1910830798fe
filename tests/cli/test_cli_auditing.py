"""The command `audit` as a program: documents, files, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.cli.arguments import parse
from grader.cli.errors import CliError
from tests.audit.audit_problem import FILES, SPEC_FILE, STARTER_FILE, write_files
from tests.cli.cli_process import run_cli

SEEDS = ("--seeds", "2")


def test_a_sound_problem_is_told_in_every_format(tmp_path: Path) -> None:
    """Exit 0; a table on the terminal, the same in files of each kind; nothing on stderr."""
    write_files(tmp_path)
    reports = [word for suffix in ("json", "html", "md") for word in ("--report", f"a.{suffix}")]
    done = run_cli("audit", "scale", *SEEDS, *reports, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:2] == ["Scale", "scale · 8 cases · 2 seeds"]
    assert "  capped          ··●·· ··   " in done.stdout
    assert lines[-1].startswith("✓ sound: 0 faults, 0 warnings, 0 notes (")
    assert max(map(len, lines)) <= 80
    document = json.loads((tmp_path / "a.json").read_text())
    assert document["passed"] is True
    assert document["naming"]["ways_named"] == document["naming"]["ways"] == 8
    assert len(document["mutants"]) > 50
    assert (tmp_path / "a.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "a.md").read_text().startswith("# Scale\n")


def test_faults_and_invalid_problems_end_in_3(tmp_path: Path) -> None:
    """Of several problems each is told, the invalid ones with their places; one document."""
    write_files(tmp_path, {**FILES, STARTER_FILE: FILES["solutions/scale.py"]})
    other = tmp_path / "problems" / "broken" / "problem.yaml"
    other.parent.mkdir()
    other.write_text(FILES[SPEC_FILE].replace("points: 22", "pionts: 22"))
    done = run_cli("audit", "scale", "broken", "--seeds", "1", "--json", cwd=tmp_path)
    assert done.returncode == 3
    assert "problem.yaml:13:1: " in done.stderr
    assert 'did you mean "points"?' in done.stderr
    document = json.loads(done.stdout)
    assert [audit["problem"] for audit in document["audits"]] == ["scale"]
    (remark,) = document["audits"][0]["remarks"]
    assert (remark["check"], remark["weight"]) == ("starter-accepted", "fault")


def test_one_invalid_problem_is_all_that_is_told(tmp_path: Path) -> None:
    """The loader's own errors, and no document."""
    write_files(tmp_path, {**FILES, SPEC_FILE: FILES[SPEC_FILE].replace("entry:", "entri:")})
    done = run_cli("audit", "scale", "--json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert 'error: the problem "scale" is invalid:\n' in done.stderr
    assert "problem.yaml:5:1: " in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("scael",), 'no problem "scael"'),
        (("scale", "--report", "nowhere/a.md"), "does not exist"),
        (("scale", "--report", "a.csv"), ".csv is not supported yet, only .json, .html, .md"),
        (("scale", "--seeds", "0"), '"0" is not a whole number from 1 to 10000'),
    ],
)
def test_a_wrong_command_line_ends_in_2(
    tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    """Before anything is started."""
    write_files(tmp_path)
    done = run_cli("audit", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_without_an_id_all_are_meant() -> None:
    """And 20 seeds are tried, unless said otherwise."""
    arguments = parse(["audit"], "x")
    assert (arguments.ids, arguments.seeds, arguments.report) == ([], 20, [])


def test_grade_has_its_own_suffixes() -> None:
    """What an audit can be written as is not what a grade can."""
    parse(["audit", "--report", "a.html"], "x")
    with pytest.raises(CliError):
        parse(["grade", "x.py", "--report", "a.html"], "x")
