"""A problem's stages.py: loaded, held against problem.yaml, and what is said when it is broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.grading.computation import StagesFailed, has_stages, load_computation
from grader.grading.exam import Exam
from grader.grading.grade import grade_solution
from grader.grading.oracle import ReferenceFailed
from grader.sandbox.client import Server
from tests.cli.cli_process import run_cli
from tests.grading.grading_peaks import STAGES, make_peaks, source

LOWEST = '        "lowest": [lambda scores: scores.amin(-1)],\n'
WRONG = source(centred="table")

BROKEN = {
    "syntax": (f"{STAGES})", "SyntaxError: unmatched ')'"),
    "an exception": (f"{STAGES}\n1 / 0", "ZeroDivisionError: division by zero"),
    "an import": (f"import no_such_module\n{STAGES}", "ModuleNotFoundError: No module named"),
    "no table": (STAGES.replace("COMPUTATION =", "COMPUTED ="), "no attribute 'COMPUTATION'"),
    "another table": ("COMPUTATION = {}", "TypeError: COMPUTATION is not a Computation"),
    "an id is missing": (
        STAGES.replace(LOWEST, ""),
        'trap "lowest" is at stage None here and peaks in problem.yaml',
    ),
    "an id too many": (
        STAGES.replace(LOWEST, f"{LOWEST}{LOWEST.replace('lowest', 'deepest')}"),
        'trap "deepest" is at stage peaks here and None in problem.yaml',
    ),
    "an id at another stage": (
        STAGES.replace(LOWEST, "").replace(
            '"unbiased_scale": [unbiased],', '"unbiased_scale": [unbiased], "lowest": [divided],'
        ),
        'trap "lowest" is at stage scores here and peaks in problem.yaml',
    ),
    "an output without a stage": (
        STAGES.replace('{"peaks": "peaks", ', "{"),
        "outputs must name a stage for each of peaks, total",
    ),
    "a parameter": (
        STAGES.replace('"uncentred": [lambda table: table]', '"uncentred": [lambda tabel: tabel]'),
        'trap "uncentred": "tabel" is neither an input nor an earlier stage',
    ),
}


def test_a_sound_table_is_loaded(tmp_path: Path) -> None:
    """With its stages in order."""
    problem = make_peaks(tmp_path)
    assert has_stages(problem)
    stages = [stage.name for stage in load_computation(problem).stages]
    assert stages == ["centred", "scores", "peaks", "total"]


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_table_is_refused(tmp_path: Path, name: str) -> None:
    """With the file, and what is wrong in it."""
    stages, message = BROKEN[name]
    problem = make_peaks(tmp_path, stages)
    with pytest.raises(StagesFailed) as caught:
        load_computation(problem)
    assert str(caught.value).startswith(f"{problem.folder / 'stages.py'}: ")
    assert message in str(caught.value)


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    """Not one a run."""
    stages = STAGES.replace(LOWEST, "").replace('"mean_of_rows"', '"mean_of_row"')
    with pytest.raises(StagesFailed) as caught:
        load_computation(make_peaks(tmp_path, stages))
    assert [name in str(caught.value) for name in ("lowest", "mean_of_row", "mean_of_rows")] == [
        True,
        True,
        True,
    ]


def test_an_exam_loads_it_once(tmp_path: Path) -> None:
    """When it is first asked for."""
    exam = Exam(make_peaks(tmp_path), 1, "cpu")
    assert exam.computation() is exam.computation()


def test_a_problem_may_have_none(tmp_path: Path, server: Server) -> None:
    """Then values have no names, and grading goes on."""
    problem = make_peaks(tmp_path, None)
    assert not has_stages(problem)
    exam = Exam(problem, 1, "cpu")
    assert exam.computation() is None
    path = tmp_path / "mine.py"
    path.write_text(WRONG)
    diagnosis = grade_solution(exam, path, server).diagnosis
    assert diagnosis is not None
    assert (diagnosis.traps, diagnosis.first_wrong_stage) == ((), None)
    assert "`peaks`: " in diagnosis.summary


def test_a_grade_that_needs_it_fails_with_it(tmp_path: Path, server: Server) -> None:
    """As with a broken reference: nobody gets a report made with a broken problem."""
    exam = Exam(make_peaks(tmp_path, STAGES.replace(LOWEST, "")), 1, "cpu")
    path = tmp_path / "mine.py"
    path.write_text(WRONG)
    with pytest.raises(ReferenceFailed, match='trap "lowest"'):
        grade_solution(exam, path, server)


def test_the_program_ends_with_exit_3(tmp_path: Path) -> None:
    """The problem is at fault: a message on stderr, no verdict, no traceback."""
    make_peaks(tmp_path, STAGES.replace(LOWEST, ""))
    (tmp_path / "mine.py").write_text(WRONG)
    done = run_cli("grade", "mine.py", "--json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert 'stages.py: trap "lowest" is at stage None here and peaks in problem.yaml' in done.stderr
    assert "Traceback" not in done.stderr
