"""Whole reports on a terminal."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from io import StringIO

import pytest
from rich.console import Console
from rich.text import Text

from grader.report.cases import showcase
from grader.report.disclosure import for_audience
from grader.report.layout import Pointed
from grader.report.terminal import isolation_words, render, repeat_words
from grader.results import Diagnosis, Finding, Frame, Isolation, Report, Verdict
from tests.report.report_samples import accepted, case, crash, printed, report, wrong_answer

WRONG_80 = """\
Full Attention Residuals
solutions/alice.py · cpu · seed 123
isolation: namespaces, landlock 6, seccomp, memory by RSS, no network

Why it fails
  the embedding is not among the sources
    why: Source 0 is the embedding.
    hint: Put the embedding in front of the previous outputs.
  line 4 is still right: `keys`
     4 │ keys = rms(previous_outputs)
  line 5 is the first wrong one, in the step "sources"
     5 │ sources = previous_outputs
  explains both failing cases
  what was returned equals what this gives to 2e-7, in 4 of 4 cases.

Case "worked example"
  float32, batch 1, sequence 3, layers 2, width 4
  • attention_weights has the shape f32[2,1,3], expected f32[3,1,3]
    help: one weight a source: the embedding and every previous output
  • 12 of 12 values are wrong, first at [batch 0, sequence 0, width 0]

Cases
  ✗ wrong answer      0/5  worked example  2 ms
  ✗ wrong answer      0/5  mixed magnitudes  hidden  2 ms
  – skipped           0/5  strided inputs  hidden  2 ms
                           it needs "mixed magnitudes", which failed
  ✓ accepted      5.5/5.5  zero layers  hidden  2 ms

✗ wrong answer: 5.5 of 20.5 points; 1 of 4 cases accepted, 1 skipped (1.9 s)
explain: python cli.py explain full_attention_residual missing_embedding
repeat: python cli.py grade solutions/alice.py --seed 123 \\
          --case "worked example"
"""  # noqa: RUF001 - an en dash, as printed

WRONG_40_LEARNER = """\
Full Attention Residuals
solutions/alice.py · cpu · seed 123
isolation: namespaces, landlock 6,
           seccomp, memory by RSS, no
           network

Why it fails
  the embedding is not among the sources
    hint: Put the embedding in front of
          the previous outputs.
  line 4 is still right: `keys`
     4 │ keys = rms(previous_outputs)
  line 5 is the first wrong one, in the
  step "sources"
     5 │ sources = previous_outputs
  explains both failing cases

Case "worked example"
  float32, batch 1, sequence 3, layers
  2, width 4
  • attention_weights has the shape
    f32[2,1,3], expected f32[3,1,3]
    help: one weight a source: the
          embedding and every previous
          output
  • 12 of 12 values are wrong, first at
    [batch 0, sequence 0, width 0]

Cases
  ✗ wrong answer 0/5: worked example
  ✗ wrong answer 0/5: mixed magnitudes
  – skipped 0/5: strided inputs
      it needs "mixed magnitudes", which
      failed
  ✓ accepted 5.5/5.5: zero layers

✗ wrong answer: 5.5 of 20.5 points; 1 of
  4 cases accepted, 1 skipped (1.9 s)
repeat: python cli.py check \\
          solutions/alice.py \\
          --seed 123 \\
          --case "worked example"
"""  # noqa: RUF001 - an en dash, as printed


def test_a_wrong_answer_at_80_columns() -> None:
    """The cause first, one case in full, every case in a line, the command last."""
    assert printed(render(wrong_answer())) == WRONG_80


def test_a_wrong_answer_for_a_learner_at_40_columns() -> None:
    """Narrow, nothing is lost and no word is broken."""
    shown = render(for_audience(wrong_answer(), "learner"), command="python cli.py check")
    assert printed(shown, 40) == WRONG_40_LEARNER


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("sample", [wrong_answer, crash, accepted])
def test_lines_stay_within_the_terminal(width: int, sample: object) -> None:
    """At any width from 40 on."""
    assert callable(sample)
    lines = printed(render(sample()), width).splitlines()
    assert max(map(len, lines)) <= width


def test_an_accepted_report_is_short() -> None:
    """No cause, no case in full, no command."""
    text = printed(render(accepted()))
    assert text.splitlines()[-1] == "✓ accepted: 10 of 10 points; 2 of 2 cases accepted (1.9 s)"
    assert "repeat" not in text


def test_hostile_text_is_shown_as_text() -> None:
    """Neither markup nor escape codes of an exception reach the terminal."""
    text = printed(render(crash()))
    assert "ValueError: [bold]no[/bold]" in text
    assert "\x1b" not in text
    assert "\x00" not in text


def test_frames_and_cut_output_are_shown() -> None:
    """The learner's lines with their source; of the output its start, and how much is missing."""
    text = printed(render(crash()))
    assert "  line 12, in full_attention_residual\n    12 │ keys = rms(sources)\n" in text
    assert "    │ step 11\n  (1988 more lines; the rest was cut at the output limit)" in text


def test_verbose_shows_every_failing_case() -> None:
    """With the case asked for by name, nothing is shortened."""
    text = printed(render(crash(), verbose=True))
    assert 'Case "endless"\n  ended after 4 s\n' in text
    assert "step 1999" in text


def test_other_failures_are_told_once_a_kind() -> None:
    """Cases that fail like the one in full add no line; another kind of failure does."""
    lines = printed(render(crash())).splitlines()
    assert lines[lines.index("  ✗ time limit     0/5  endless  hidden  2 ms") + 1] == (
        "                        ended after 4 s"
    )


def test_two_mistakes_are_named_with_what_else_it_could_be() -> None:
    """Titles that the summary does not say already, and alternatives that fit as well."""
    wrong = wrong_answer()
    assert wrong.diagnosis is not None
    diagnosis = replace(
        wrong.diagnosis,
        summary="two mistakes together",
        alternatives=(("running_sums", "missing_root"),),
        explained_cases=1,
        failed_cases=3,
    )
    text = printed(render(replace(wrong, diagnosis=diagnosis)))
    assert "• The embedding is not among the sources\n" in text
    assert "it could as well be running_sums and missing_root: these cases cannot" in text
    assert "explains 1 of 3 failing cases" in text


def test_without_a_known_mistake_the_first_wrong_step_is_said() -> None:
    """Less is said when less is known."""
    diagnosis = Diagnosis((), "no known mistake fits", 2, first_wrong_stage="keys")
    text = printed(render(replace(wrong_answer(), diagnosis=diagnosis)))
    assert '  no known mistake fits\n  the first wrong step is "keys"\n' in text
    assert "explains" not in text


def test_a_file_that_does_not_load() -> None:
    """Its own finding, its output, and a command without a case, for none ran."""
    message = "the file defines no function full_attention_residual"
    failed = report(
        Verdict.NOT_LOADABLE,
        case("worked example", Verdict.NOT_LOADABLE),
        summary=message,
        findings=(Finding("load", message, "did you mean full_attention_residuals, line 4?"),),
        output="importing",
    )
    text = printed(render(failed))
    assert text.count(message) == 1
    assert "help: did you mean full_attention_residuals, line 4?" in text
    assert "│ importing" in text
    assert text.endswith("repeat: python cli.py grade solutions/alice.py --seed 123\n")


SYNTAX_ERROR_40 = """\
Why it fails
  SyntaxError at line 7, column 33:
  expected ':'.
  solutions/alice.py:7
     7 │ def mix(weights, all_sources)
                                      ^

Cases
  – 2 cases were not run: SyntaxError at
    line 7, column 33: expected ':'.
"""  # noqa: RUF001 - an en dash, as printed


def test_a_syntax_error_points_at_its_column() -> None:
    """The line is shown once, the reason for all cases once."""
    message = "SyntaxError at line 7, column 33: expected ':'."
    frame = Frame(7, "<module>", "def mix(weights, all_sources)", 30)
    skipped = [
        case(name, Verdict.SKIPPED, findings=(Finding("skipped", message),)) for name in "ab"
    ]
    failed = report(
        Verdict.NOT_LOADABLE,
        *skipped,
        findings=(Finding("load", message),),
        frames=(frame,),
        diagnosis=Diagnosis((), message, 0, line=frame.line, source=frame.source),
    )
    assert SYNTAX_ERROR_40 in printed(render(failed), 40)


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("column", [1, 20, 99, 180, 201])
def test_a_long_line_is_shown_around_its_caret(width: int, column: int) -> None:
    """On one line, within the terminal; the caret stands below the character it is about."""
    source = "".join(chr(0x100 + place) for place in range(200))
    pointed = Pointed(Text("  7 │ "), source, column)
    line, caret = printed(pointed, width).splitlines()
    assert max(len(line), len(caret)) <= width
    place = len(caret) - 1
    assert caret == " " * place + "^"
    assert (line[place : place + 1] or "behind") == (source[column - 1 : column] or "behind")


def test_frames_of_an_import_are_shown_whole() -> None:
    """Where the file broke in a function that it called, the way there is told, once."""
    stack = (Frame(9, "<module>", "TABLE = make()"), Frame(3, "make", "return 1 / 0"))
    failed = report(
        Verdict.NOT_LOADABLE,
        findings=(Finding("load", "importing the file raised ZeroDivisionError."),),
        frames=stack,
        diagnosis=Diagnosis((), "importing the file raised ZeroDivisionError.", 0, line=3),
    )
    text = printed(render(failed))
    assert "  line 9, in <module>\n     9 │ TABLE = make()\n  line 3, in make\n" in text
    assert "alice.py:3" not in text


def test_a_case_that_only_repeats_the_reason_is_not_shown_in_full() -> None:
    """What stands at the top is not said again below it."""
    reason = Finding("implementation", "nothing implemented yet.", "write it")
    failed = report(
        Verdict.RUNTIME_ERROR,
        case("first", Verdict.RUNTIME_ERROR, findings=(reason,)),
        case("second", Verdict.SKIPPED, findings=(Finding("skipped", reason.message),)),
        findings=(reason,),
        diagnosis=Diagnosis((), reason.message, 1),
    )
    text = printed(render(failed))
    assert "Case" not in text.replace("Cases", "")
    assert text.count("nothing implemented yet.") == 2
    assert "– 1 case was not run: nothing implemented yet." in text  # noqa: RUF001


def test_a_failure_of_the_grader_is_not_blamed_on_the_solution() -> None:
    """A judge error says so, in the case and at the end."""
    text = printed(render(report(Verdict.JUDGE_ERROR, case("a", Verdict.JUDGE_ERROR))))
    assert "! judge error  0/5  a  hidden" in text
    assert "the grader itself failed here, not the solution" in text


def test_missing_isolation_is_said() -> None:
    """What does not hold on this machine is in every report."""
    isolation = Isolation(False, 0, "rss", "host", missing=("namespaces: not Linux",))
    text = printed(render(replace(accepted(), isolation=isolation)))
    assert "isolation: none, memory by RSS, network open\nmissing: namespaces: not Linux\n" in text
    cgroup = Isolation(True, 0, "cgroup", "none")
    assert isolation_words(cgroup) == "namespaces, memory by cgroup, no network"


def test_a_terminal_without_unicode_gets_ascii() -> None:
    """Signs are replaced where the encoding cannot carry them."""

    class Latin(StringIO):
        encoding = "ascii"

    stream = Latin()
    Console(file=stream, width=80, color_system=None).print(render(accepted()))
    assert "+ accepted  5/5  worked example" in stream.getvalue()
    assert stream.getvalue().isascii()


def test_a_pipe_gets_the_command_on_one_line() -> None:
    """So that it can be copied whole."""
    stream = StringIO()
    long = replace(wrong_answer(), solution="a/very/long/folder/" * 6 + "alice.py")
    Console(file=stream, width=80).print(render(long), crop=False)
    last = stream.getvalue().splitlines()[-1]
    assert last == f"repeat: {' '.join(repeat_words(long, 'python cli.py grade'))}"


def test_the_command_quotes_what_a_shell_would_split() -> None:
    """Paths and case names are the user's words; the options given before are repeated."""
    odd = replace(wrong_answer(), solution="my solutions/a$b.py")
    words = repeat_words(odd, "python cli.py grade", ("--device cuda",))
    assert " ".join(words) == (
        "python cli.py grade 'my solutions/a$b.py' --device cuda --seed 123 "
        '--case "worked example"'
    )


def test_the_case_in_full_is_one_that_may_be_shown() -> None:
    """For a learner a public case comes before a hidden one."""
    hidden = case("first", Verdict.WRONG_ANSWER, hint="h")
    public = case(
        "second", Verdict.WRONG_ANSWER, visibility="public", findings=(Finding("x", "y"),)
    )
    shown = for_audience(report(Verdict.WRONG_ANSWER, hidden, public), "learner")
    chosen = showcase(shown)
    assert chosen is not None
    assert chosen.name == "second"


def test_hints_of_hidden_cases_are_shown_to_a_learner() -> None:
    """Where the diagnosis does not explain all, each different hint is told once."""
    cases = [case(f"c{i}", Verdict.WRONG_ANSWER, hint=h) for i, h in enumerate("aab")]
    text = printed(render(for_audience(report(Verdict.WRONG_ANSWER, *cases), "learner")))
    remarks = [line.strip() for line in text.splitlines() if line.strip() in ("a", "b")]
    assert remarks == ["a", "b"]


def test_one_score_everywhere() -> None:
    """An imperfect total is never shown as the maximum."""
    near: Report = replace(accepted(), score=Decimal("9.9999999999"), verdict=Verdict.WRONG_ANSWER)
    assert "9.9999999999 of 10 points" in printed(render(near))
