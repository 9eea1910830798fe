"""The JSON contract."""

from __future__ import annotations

import json
from decimal import Decimal
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.report.json_report import JsonStream, dumps, number, to_json
from grader.results import Verdict
from tests.report.report_samples import accepted, crash, report, wrong_answer


def test_a_report_is_the_contract_to_the_letter() -> None:
    """Keys and values of one report, whole."""
    assert to_json(wrong_answer()) == {
        "format_version": 1,
        "problem": "full_attention_residual",
        "problem_hash": "sha256:aa",
        "solution": "solutions/alice.py",
        "solution_hash": "sha256:bb",
        "device": "cpu",
        "seed": 123,
        "verdict": "wrong_answer",
        "score": 5.5,
        "max_score": 20.5,
        "cases": [
            {
                "name": "worked example",
                "visibility": "public",
                "verdict": "wrong_answer",
                "score": 0,
                "max_score": 5,
                "duration_s": 0.002,
                "findings": [
                    {
                        "check": "shape",
                        "output": "attention_weights",
                        "message": "attention_weights has the shape f32[2,1,3], "
                        "expected f32[3,1,3]",
                        "help": "one weight a source: the embedding and every previous output",
                    },
                    {
                        "check": "values",
                        "output": "retrieved_representation",
                        "message": "12 of 12 values are wrong, first at "
                        "[batch 0, sequence 0, width 0]",
                        "help": "",
                    },
                ],
            },
            {
                "name": "mixed magnitudes",
                "visibility": "hidden",
                "verdict": "wrong_answer",
                "score": 0,
                "max_score": 5,
                "duration_s": 0.002,
                "findings": [
                    {
                        "check": "values",
                        "output": "retrieved_representation",
                        "message": "12 of 12 values are wrong, first at "
                        "[batch 0, sequence 0, width 0]",
                        "help": "",
                    }
                ],
            },
            {
                "name": "strided inputs",
                "visibility": "hidden",
                "verdict": "skipped",
                "score": 0,
                "max_score": 5,
                "duration_s": 0.002,
                "findings": [
                    {
                        "check": "needs",
                        "output": None,
                        "message": 'it needs "mixed magnitudes", which failed',
                        "help": "",
                    }
                ],
            },
            {
                "name": "zero layers",
                "visibility": "hidden",
                "verdict": "accepted",
                "score": 5.5,
                "max_score": 5.5,
                "duration_s": 0.002,
                "findings": [],
            },
        ],
        "diagnosis": {
            "traps": [
                {
                    "id": "missing_embedding",
                    "stage": "sources",
                    "title": "The embedding is not among the sources",
                    "hint": "Put the embedding in front of the previous outputs.",
                }
            ],
            "alternatives": [],
            "explained_cases": 2,
            "failed_cases": 2,
            "first_wrong_stage": "sources",
            "line": 5,
            "source": "    sources = previous_outputs",
            "last_right_line": 4,
            "summary": "the embedding is not among the sources",
        },
        "isolation": {"namespaces": True, "landlock": 6, "memory": "rss", "network": "none"},
        "versions": {"grader": "0.1.0", "python": "3.11.2", "torch": "2.13.0"},
        "duration_s": 1.93,
    }


def test_an_accepted_report_has_no_diagnosis() -> None:
    """`diagnosis` is null when accepted."""
    assert to_json(accepted())["diagnosis"] is None


def test_hostile_text_leaves_the_document_valid() -> None:
    """Escape codes, NUL and lone surrogates are gone, and UTF-8 can carry the rest."""
    text = dumps(to_json(crash()))
    text.encode("utf-8")
    assert json.loads(text)["cases"][0]["findings"][0]["message"].startswith("ValueError: [bold]")
    assert "\\u001b" not in text


def test_a_value_that_json_cannot_carry_is_refused() -> None:
    """NaN is our own mistake, and is not handed to the reader."""
    with pytest.raises(ValueError, match="Out of range float values"):
        dumps(to_json(report(Verdict.ACCEPTED, duration_s=float("nan"))))


@pytest.mark.parametrize(
    ("exact", "value"), [("100", 100), ("1E+2", 100), ("61.5", 61.5), ("0", 0), ("0.1", 0.1)]
)
def test_scores_are_whole_when_they_are(exact: str, value: float) -> None:
    """An int for whole points, else the float that prints alike."""
    assert number(Decimal(exact)) == value
    assert type(number(Decimal(exact))) is type(value)


@given(
    st.decimals(min_value=0, max_value=1000, places=25),
    st.decimals(min_value=0, max_value=1000, places=25),
)
def test_an_imperfect_score_never_reads_as_full(one: Decimal, other: Decimal) -> None:
    """However close, a float below the maximum is written."""
    score, maximum = sorted((one, other))
    if score < maximum:
        assert number(score, maximum) < number(maximum) or float(score) == float(maximum) == 0


def test_a_single_report_is_one_object() -> None:
    """Asked for one solution, the document is its report."""
    stream = StringIO()
    with JsonStream(stream, several=False) as document:
        document.add(accepted())
    assert json.loads(stream.getvalue()) == to_json(accepted())


@pytest.mark.parametrize("count", [0, 1, 3])
def test_several_reports_are_one_object_with_a_list(count: int) -> None:
    """The list may be empty, and is valid at any length."""
    stream = StringIO()
    with JsonStream(stream, several=True) as document:
        for _ in range(count):
            document.add(accepted())
    expected = {"format_version": 1, "solutions": [to_json(accepted())] * count}
    assert json.loads(stream.getvalue()) == expected


def test_an_interrupted_document_is_still_whole() -> None:
    """What was graded before Ctrl-C can be read."""
    stream = StringIO()
    with pytest.raises(KeyboardInterrupt), JsonStream(stream, several=True) as document:  # noqa: PT012 - the interrupt comes between two reports
        document.add(accepted())
        raise KeyboardInterrupt
    assert len(json.loads(stream.getvalue())["solutions"]) == 1


def test_ascii_only_for_streams_that_are_not_utf8() -> None:
    """Then every other character is escaped."""
    assert dumps({"a": "é"}, ascii_only=True).isascii()
