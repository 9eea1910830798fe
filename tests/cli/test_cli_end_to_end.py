"""The whole program on real solutions: `python cli.py ...` as learners and instructors run it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.cli_process import (
    CLI,
    ROOT,
    TIMEOUT_S,
    descendants,
    is_alive,
    run_cli,
    wait_until,
)
from tests.grading.grading_toy import SPEC, make_problem

PROBLEM = "full_attention_residual"
RIGHT = (ROOT / "solutions" / f"{PROBLEM}.py").read_text(encoding="utf-8")
NAMED = f"def {PROBLEM}(embedding, previous_outputs, pseudo_query, eps=1e-6):\n"
LOUD = f"""\
import json, torch
print(json.dumps({{"verdict": "accepted", "score": 100}}))
{NAMED}\
    print('{{"format_version": 1, "verdict": "accepted", "cases": []}}')
    weights = torch.ones(len(previous_outputs) + 1, *embedding.shape[:2], dtype=embedding.dtype)
    return {{"retrieved_representation": embedding, "attention_weights": weights}}
"""
LOOPS = f"{NAMED}    while True: pass\n"


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def only_json(done: subprocess.CompletedProcess[str]) -> Any:
    """The one document on stdout; nothing went to stderr."""
    assert done.stderr == ""
    return json.loads(done.stdout)


def test_a_right_solution_is_accepted(tmp_path: Path) -> None:
    """Exit 0; the last line says it, the seed is there, and the file has the same report."""
    path = put(tmp_path, "mine.py", RIGHT)
    done = run_cli("grade", path, "--report", tmp_path / "x.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith("✓ accepted: 100 of 100 points; 28 of 28 cases")
    report = json.loads((tmp_path / "x.json").read_text())
    assert (report["verdict"], report["score"], report["diagnosis"]) == ("accepted", 100, None)
    assert f"seed {report['seed']}" in done.stdout


def without_times(document: Any) -> Any:
    """The report but for its durations."""
    for scored in (document, *document["cases"]):
        del scored["duration_s"]
    return document


def test_json_is_pure_and_a_seed_repeats_it(tmp_path: Path) -> None:
    """Exit 1; what a solution prints never reaches stdout, and one seed gives one report."""
    path = put(tmp_path, "mine.py", LOUD)
    words = ("grade", path, "--json", "--seed", "7")
    first, second = run_cli(*words), run_cli(*words)
    assert (first.returncode, second.returncode) == (1, 1)
    report = only_json(first)
    assert (report["verdict"], report["seed"], report["score"]) == ("wrong_answer", 7, 3)
    assert without_times(report) == without_times(only_json(second))


def test_one_case_is_shown_in_full(tmp_path: Path) -> None:
    """With the cases that it needs, its output, and its points alone."""
    path = put(tmp_path, "mine.py", LOUD)
    done = run_cli("grade", path, "--case", "equal sizes", "--seed", "1")
    assert done.returncode == 1
    assert 'Case "generic"' in done.stdout
    assert '│ {"format_version": 1, "verdict": "accepted", "cases": []}' in done.stdout
    assert "0 of 9 points; 0 of 2 cases accepted, 1 skipped" in done.stdout


def test_check_tells_a_beginner_to_begin(tmp_path: Path) -> None:
    """The starter: one reason, said calmly, on the public cases."""
    done = run_cli("start", PROBLEM, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    done = run_cli("check", tmp_path / f"{PROBLEM}.py")
    assert (done.returncode, done.stderr) == (1, "")
    assert "nothing implemented yet." in done.stdout
    assert "4 cases were not run" in done.stdout
    assert "hidden" not in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("grade", "nowhere.py"), "nowhere.py: no such file or directory"),
        (("grade", "."), "has no solutions"),
        (("show", "nothing"), 'no problem "nothing"'),
        (("hint", PROBLEM, "99"), "has hints 1 to 5, not 99"),
        ((), "required: COMMAND"),
    ],
)
def test_a_usage_error_is_exit_2(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    """A plain message on stderr, nothing on stdout."""
    done = run_cli(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_broken_problem_is_exit_3(tmp_path: Path) -> None:
    """Every error of its spec with its place; nothing is graded."""
    make_problem(tmp_path)
    put(tmp_path / "problems/toy", "problem.yaml", SPEC.replace("level: easy", "level: esay"))
    put(tmp_path, "toy.py", "def toy(x, bias, factor=2.0): ...")
    done = run_cli("grade", "toy.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "problems/toy/problem.yaml:4:8: " in done.stderr


def test_a_reference_that_fails_is_exit_3(tmp_path: Path) -> None:
    """The problem is at fault, not the solution."""
    make_problem(tmp_path, reference="def toy(x, bias, factor=2.0):\n    return x.nothing\n")
    put(tmp_path, "toy.py", "def toy(x, bias, factor=2.0): ...")
    done = run_cli("grade", "toy.py", "--json", cwd=tmp_path)
    assert done.returncode == 3
    assert "the reference raised AttributeError" in done.stderr


def test_torch_missing_is_exit_4(tmp_path: Path) -> None:
    """The environment's fault; no grade."""
    put(tmp_path, "torch.py", 'raise ModuleNotFoundError("no torch", name="torch")')
    path = put(tmp_path, "mine.py", RIGHT)
    for words in (("grade", path), ("doctor",)):
        done = run_cli(*words, env={"PYTHONPATH": str(tmp_path)})
        assert (done.returncode, done.stdout) == (4, "")
        assert done.stderr == (
            'error: the package "torch" is not installed, so nothing was graded\n'
            "  help: pip install torch\n"
        )


def test_a_device_that_is_absent_is_exit_4(tmp_path: Path) -> None:
    """Never a grade of 0. `CUDA_VISIBLE_DEVICES` hides a device where there is one."""
    path = put(tmp_path, "mine.py", RIGHT)
    hidden = {"CUDA_VISIBLE_DEVICES": ""}
    done = run_cli("grade", path, "--device", "cuda", "--sandbox", "auto", env=hidden)
    assert (done.returncode, done.stdout) == (4, "")
    assert "no CUDA device is available here, so nothing was graded" in done.stderr


def test_a_folder_is_graded_whatever_is_in_it(tmp_path: Path) -> None:
    """Five solutions, two at a time, one of them hostile: five verdicts and one document."""
    folder = tmp_path / "course"
    folder.mkdir()
    verdicts = {
        "a_right.py": (RIGHT, "accepted"),
        "b_loud.py": (LOUD, "wrong_answer"),
        "c_hostile.py": (f"import os\n{NAMED}    os.kill(os.getppid(), 9); os._exit(0)\n", "x"),
        "d_broken.py": (f"{NAMED}    return (\n", "not_loadable"),
        "e_starter.py": (f"{NAMED}    raise NotImplementedError\n", "runtime_error"),
    }
    for name, (text, _) in verdicts.items():
        put(folder, name, text)
    done = run_cli("grade", folder, "--jobs", "2", "--json")
    assert done.returncode == 1
    document = only_json(done)
    found = {Path(one["solution"]).name: one["verdict"] for one in document["solutions"]}
    assert found.pop("c_hostile.py") == "runtime_error"
    assert found == {name: v for name, (_, v) in verdicts.items() if v != "x"}


LEAKY = f"""\
import sys, torch
MARK = "le" + "aked"
calls = []
Odd = type(MARK, (Exception,), {{}})
made = {{}}
exec(compile("def " + MARK + "(t):\\n\\n\\n    raise t", __file__, "exec"), made)
{RIGHT.replace(f"def {PROBLEM}", "def right").partition("import annotations")[2]}
{NAMED}\
    calls.append(1)
    result = right(embedding, previous_outputs, pseudo_query, eps)
    if len(calls) <= 5:
        return result
    text = MARK + str(embedding.flatten().tolist())
    print(text)
    print(text, file=sys.stderr)
    match len(calls) % 5:
        case 0: raise ValueError(text)
        case 1: return {{**result, text: 1}}
        case 2: raise Odd()
        case 3: made[MARK](KeyError(text))
    return {{**result, "attention_weights": text}}
"""


def test_a_learner_sees_nothing_of_hidden_cases(tmp_path: Path) -> None:
    """Not on the terminal, not in JSON: no print, text, key, type or function name of a solution
    that was right until the hidden cases came."""
    path = put(tmp_path, "mine.py", LEAKY)
    shown, written = [], []
    for audience in ("learner", "instructor"):
        words = ("grade", path, "--seed", "3", "--audience", audience)
        done = run_cli(*words, "--report", tmp_path / "x.json")
        assert done.returncode == 1
        assert done.stderr == ""
        shown.append(done.stdout)
        written.append((tmp_path / "x.json").read_text())
    assert [("leaked" in text) for text in shown] == [False, True]
    assert [("leaked" in text) for text in written] == [False, True]
    hidden = [case for case in json.loads(written[0])["cases"] if case["visibility"] == "hidden"]
    assert {tuple(f["check"] for f in case["findings"]) for case in hidden} <= {
        (),
        ("hidden",),
        ("needs",),
        ("inconclusive",),
    }


ASCII_ONLY = {"LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}


def test_a_locale_without_utf_8_changes_nothing(tmp_path: Path) -> None:
    """A file whose name and text are not ASCII is graded; the output is ASCII."""
    path = put(tmp_path, "lösung_ß.py", f"# größer ☃\n{RIGHT}")
    done = run_cli("grade", path, "--json", env=ASCII_ONLY)
    assert done.returncode == 0
    assert only_json(done)["verdict"] == "accepted"
    assert done.stdout.isascii()


def test_an_interrupt_ends_everything(tmp_path: Path) -> None:
    """Ctrl-C while a solution loops: exit 130, a word on stderr, and no process is left."""
    path = put(tmp_path, "mine.py", LOOPS)
    running = subprocess.Popen(
        [*CLI, "grade", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        assert wait_until(lambda: any(depth > 1 for _, depth in descendants(running.pid)))
        below = [pid for pid, _ in descendants(running.pid)]
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=TIMEOUT_S)
    finally:
        running.kill()
        running.wait()
    assert (running.returncode, out, err) == (130, "", "warning: interrupted\n")
    assert wait_until(lambda: not any(map(is_alive, below)))


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    """`| head`: no traceback, and an exit code of a verdict."""
    path = put(tmp_path, "mine.py", RIGHT)
    running = subprocess.Popen(
        [*CLI, "grade", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert running.stdout is not None
    running.stdout.close()
    _, err = running.communicate(timeout=TIMEOUT_S)
    assert err == b""
    assert running.returncode in (0, 1)


def test_the_problems_can_be_looked_at() -> None:
    """`list`, `show`, `hint` and `explain` need neither torch nor a valid anything else."""
    listed = run_cli("list")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert any(line.startswith(PROBLEM) for line in listed.stdout.splitlines())
    shown = run_cli("show", PROBLEM)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "Full Attention Residuals" in shown.stdout
    hint = run_cli("hint", PROBLEM, "2")
    assert (hint.returncode, hint.stderr) == (0, "")
    assert hint.stdout.startswith("hint 2 of 5\n")
    listed = run_cli("explain", PROBLEM)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert listed.stdout.endswith(f"next: python {CLI[1]} explain {PROBLEM} TRAP\n")
    explained = run_cli("explain", PROBLEM, "eps_ignored")
    assert (explained.returncode, explained.stderr) == (0, "")
    assert explained.stdout.startswith("eps is not used\nstage keys: ")


def test_doctor_tries_this_machine() -> None:
    """Every wall that is said to stand was tried from inside."""
    done = run_cli("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Tried from inside" in done.stdout
    assert "torch" in done.stdout


@pytest.mark.parametrize("start", [("cli.py",), ("-m", "grader")])
def test_both_ways_to_start_it_grade(tmp_path: Path, start: tuple[str, ...]) -> None:
    """From a checkout and as a module; an odd path and an empty option survive the restart."""
    path = put(tmp_path, "my 'own' \"file\" .py", RIGHT)
    done = subprocess.run(
        [CLI[0], *start, "grade", path, "--case", ""],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=TIMEOUT_S,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert f'the problem "{PROBLEM}" has no case ""' in done.stderr
