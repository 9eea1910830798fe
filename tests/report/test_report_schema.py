"""The published JSON Schema of a report: real reports keep to it, and nothing else does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from grader.grading.exam import Exam
from grader.grading.grade import grade_solution
from grader.report import report_schema
from grader.report.disclosure import for_audience
from grader.report.json_report import JsonStream, to_json
from grader.results import Audience, Report, Verdict
from grader.sandbox.client import start_fresh
from tests.grading.grading_peaks import LINES, make_peaks, source
from tests.report.report_samples import accepted, wrong_answer

jsonschema = pytest.importorskip("jsonschema", reason="the schema is checked with jsonschema")

UNBIASED = "centred / (centred.var(-1, keepdim=True) + eps).sqrt()"
SOLUTIONS: Mapping[str, tuple[str, Verdict]] = {
    "right": (source(), Verdict.ACCEPTED),
    "named, with a line": (source(scores=UNBIASED), Verdict.WRONG_ANSWER),
    "one of two": (source(centred="table.mean(-1, keepdim=True) - table"), Verdict.WRONG_ANSWER),
    "not named": (source(peaks="scores.amax(-1) + 0.3 * scores[..., 0]"), Verdict.WRONG_ANSWER),
    "contract": (source("peaks, total"), Verdict.WRONG_ANSWER),
    "mutated": (source(total="table.mul_(peaks.unsqueeze(-1)).sum(1)"), Verdict.WRONG_ANSWER),
    "raises": (source(scores="centred / nothing"), Verdict.RUNTIME_ERROR),
    "starter": (
        "def peaks_of(table, eps=0.05):\n    raise NotImplementedError\n",
        Verdict.RUNTIME_ERROR,
    ),
    "hidden only": (
        source(scores=f"{UNBIASED} if len(table) > 1 else centred / 0"),
        Verdict.WRONG_ANSWER,
    ),
    "too slow": (
        source(total=f"{LINES['total']} if len(table) > 1 else __import__('time').sleep(9)"),
        Verdict.TIME_LIMIT,
    ),
    "no Python": ("def peaks_of(:\n", Verdict.NOT_LOADABLE),
    "no function": ("peaks = 1\n", Verdict.NOT_LOADABLE),
}


@pytest.fixture(scope="module")
def validator() -> Any:
    schema = report_schema.json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Report]:
    """A report on each of the solutions, and one where the server was gone."""
    folder = tmp_path_factory.mktemp("peaks")
    exam = Exam(make_peaks(folder), 1, "cpu")
    reports = {}
    with start_fresh().settle("auto") as server:
        for name, (text, _) in SOLUTIONS.items():
            path = folder / f"{name.replace(' ', '_')}.py"
            path.write_text(text)
            reports[name] = grade_solution(exam, path, server)
    reports["our failure"] = grade_solution(exam, folder / "right.py", server)
    return reports


def mistakes(validator: Any, document: object) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]


def test_the_published_schema_is_current() -> None:
    """The file that others read is what this version writes; plain ASCII, so that it prints."""
    published = Path(report_schema.__file__).with_name("report.schema.json").read_bytes()
    expected = json.dumps(report_schema.json_schema(), indent=2) + "\n"
    assert published == expected.encode("ascii"), "write it anew from report_schema.json_schema()"


@pytest.mark.parametrize("name", SOLUTIONS)
def test_the_samples_are_what_they_are_meant_to_be(graded: Mapping[str, Report], name: str) -> None:
    """Else the next test would say less than it seems to."""
    assert graded[name].verdict == SOLUTIONS[name][1]


@pytest.mark.parametrize("audience", ["instructor", "learner"])
@pytest.mark.parametrize("name", [*SOLUTIONS, "our failure"])
def test_real_reports_keep_to_it(
    graded: Mapping[str, Report], validator: Any, name: str, audience: Audience
) -> None:
    """Of every kind, and for both audiences."""
    document = json.loads(json.dumps(to_json(for_audience(graded[name], audience))))
    assert mistakes(validator, document) == []


def test_the_diagnoses_among_them_say_all_there_is(graded: Mapping[str, Report]) -> None:
    """Each key of a diagnosis has a value in some report, and not only null."""
    told: set[str] = set()
    for report in graded.values():
        diagnosis = to_json(report)["diagnosis"]
        if isinstance(diagnosis, dict):
            told |= {key for key, value in diagnosis.items() if value}
    assert told == set(report_schema.json_schema()["$defs"]["Diagnosis"]["properties"])


def test_our_own_failure_is_a_report_too(graded: Mapping[str, Report]) -> None:
    """With its verdict, and a check of its name."""
    report = graded["our failure"]
    assert report.verdict is Verdict.JUDGE_ERROR
    assert report.diagnosis is not None


@pytest.mark.parametrize("count", [0, 1, 3])
def test_several_are_a_list(graded: Mapping[str, Report], validator: Any, count: int) -> None:
    """Also none, when nothing could be graded."""
    stream = StringIO()
    with JsonStream(stream, several=True) as document:
        for report in list(graded.values())[:count]:
            document.add(report)
    assert mistakes(validator, json.loads(stream.getvalue())) == []


def test_a_score_need_not_be_whole(validator: Any) -> None:
    """And a report made by hand, as the other tests have them, keeps to it."""
    assert mistakes(validator, to_json(wrong_answer())) == []


Change = Callable[[dict[str, Any]], object]

WRONG: Mapping[str, Change] = {
    "unknown key": lambda r: r.update(total=3),
    "unknown key of a case": lambda r: r["cases"][0].update(points=3),
    "unknown key of a finding": lambda r: r["cases"][0]["findings"][0].update(kind="other"),
    "unknown key of a trap": lambda r: r["diagnosis"]["traps"][0].update(why=""),
    "unknown version": lambda r: r["versions"].update(numpy="2"),
    "missing key": lambda r: r.pop("seed"),
    "missing key of a diagnosis": lambda r: r["diagnosis"].pop("line"),
    "both forms": lambda r: r.update(solutions=[]),
    "another format": lambda r: r.update(format_version=2),
    "unknown verdict": lambda r: r.update(verdict="right"),
    "unknown visibility": lambda r: r["cases"][0].update(visibility="secret"),
    "unknown device": lambda r: r.update(device="meta"),
    "negative score": lambda r: r.update(score=-1),
    "a text as score": lambda r: r.update(score="5"),
    "negative seed": lambda r: r.update(seed=-1),
    "line 0": lambda r: r["diagnosis"].update(line=0),
    "a line that is a text": lambda r: r["diagnosis"].update(line="5"),
    "an empty alternative": lambda r: r["diagnosis"].update(alternatives=[[]]),
    "no isolation": lambda r: r.update(isolation=None),
    "accepted with a diagnosis": lambda r: r.update(verdict="accepted"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_report_is_refused(validator: Any, name: str) -> None:
    """No key too many, none too few, no value of another kind."""
    document = json.loads(json.dumps(to_json(replace(wrong_answer(), seed=7))))
    WRONG[name](document)
    assert mistakes(validator, document)


@pytest.mark.parametrize("document", [None, [], {}, {"solutions": []}, "accepted", 3])
def test_what_has_no_form_is_refused(validator: Any, document: object) -> None:
    """Neither a report nor a list of them."""
    assert mistakes(validator, document)
    assert mistakes(validator, to_json(accepted())) == []


def objects(schema: object) -> Iterator[dict[str, Any]]:
    """Every object that the schema describes, wherever it stands."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for part in schema.values():
            yield from objects(part)


def test_every_object_is_closed_and_every_key_described() -> None:
    """All keys are required, and a reader finds a sentence for each."""
    definitions = report_schema.json_schema()["$defs"]
    found = list(objects(definitions))
    assert len(found) == len(definitions)
    for each in found:
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])
        for key, form in each["properties"].items():
            target = definitions[form["$ref"].rpartition("/")[2]] if "$ref" in form else form
            assert target["description"].endswith("."), key
