"""The JSON Schema of a report as JSON: every key that `json_report` writes, and no other.

It is published beside this module as `report.schema.json`, for programs that read reports; a test
holds the two equal. The closed sets come from `grader.results`.
"""

from __future__ import annotations

from typing import Any, get_args

from grader.report.json_report import FORMAT_VERSION
from grader.results import Verdict, Visibility

Schema = dict[str, Any]

_MAX_SEED = 2**63 - 1


def json_schema() -> Schema:
    """Return the JSON Schema of what `--json` prints: one report, or a list of them."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Tensor Grader report",
        "description": "One solution is one report; several are a list of them.",
        "oneOf": [_ref("Report"), _ref("Solutions")],
        "$defs": {
            "Solutions": _SOLUTIONS,
            "Report": _REPORT,
            "Case": _CASE,
            "Finding": _FINDING,
            "Diagnosis": _DIAGNOSIS,
            "Trap": _TRAP,
            "Isolation": _ISOLATION,
            "Versions": _VERSIONS,
        },
    }


def _object(description: str, **properties: Schema) -> Schema:
    """An object with exactly these keys, all of them always there."""
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _text(description: str, *, least: int = 0) -> Schema:
    return {"type": "string", "description": description} | ({"minLength": least} if least else {})


def _name(description: str) -> Schema:
    return _text(description, least=1)


def _one_of(description: str, *values: str) -> Schema:
    return {"enum": list(values), "description": description}


def _number(description: str) -> Schema:
    return {"type": "number", "minimum": 0, "description": description}


def _whole(description: str, *, least: int = 0) -> Schema:
    return {"type": "integer", "minimum": least, "description": description}


def _list(description: str, items: Schema, *, least: int = 0) -> Schema:
    of = {"type": "array", "items": items, "description": description}
    return of | ({"minItems": least} if least else {})


def _or_null(schema: Schema) -> Schema:
    return schema | {"type": [schema["type"], "null"]}


_FORMAT_VERSION: Schema = {"const": FORMAT_VERSION, "description": "Of this form of a report."}
_VERDICTS = [verdict.value for verdict in Verdict]

_SOLUTIONS = _object(
    "Several solutions, in the order in which they were graded.",
    format_version=_FORMAT_VERSION,
    solutions=_list("A report for each; none when nothing could be graded.", _ref("Report")),
)

_REPORT = _object(
    "One solution, graded.",
    format_version=_FORMAT_VERSION,
    problem=_name("The problem's id."),
    problem_hash=_name("Changes with any file of the problem."),
    solution=_name("The path of the file, as it was given."),
    solution_hash=_name("Changes with the file's content."),
    device=_one_of("Where the calls were made.", "cpu", "cuda"),
    seed=_whole("`--seed` with this number gives the same inputs again.") | {"maximum": _MAX_SEED},
    verdict=_one_of("Why nothing could be run, else that of the first failed case.", *_VERDICTS),
    score=_number("Points of all cases; below max_score unless every point was given."),
    max_score=_number("Points that could be had in these cases."),
    cases=_list("In the order in which they were put: public ones first.", _ref("Case")),
    diagnosis={
        "anyOf": [_ref("Diagnosis"), {"type": "null"}],
        "description": "Why it fails; null when it is accepted.",
    },
    isolation=_ref("Isolation"),
    versions=_ref("Versions"),
    duration_s=_number("Seconds for all of it."),
) | {
    "if": {"properties": {"verdict": {"const": Verdict.ACCEPTED.value}}},
    "then": {"properties": {"diagnosis": {"type": "null"}}},
}

_CASE = _object(
    "One case. To a learner a hidden one tells its verdict, its points and its hint.",
    name=_name("Unique in the problem."),
    visibility=_one_of("Whether learners may see its inputs.", *get_args(Visibility)),
    verdict=_one_of("Of this case.", *_VERDICTS),
    score=_number("All of its points, or none."),
    max_score=_number("What it is worth."),
    duration_s=_number("Seconds of the call; 0 where it is not told, or there was none."),
    findings=_list("What the checks saw, the first cause first.", _ref("Finding")),
)

_FINDING = _object(
    "One thing that a check saw.",
    check={
        "type": "string",
        "pattern": "^[a-z_]+$",
        "description": "Which check: load, error, type, keys, shape, dtype, device, values, "
        "precision, mutation, gradient, layout, state, time, memory, output; why a case was not "
        "run: needs, skipped, inconclusive; hidden: the message is the author's hint; judge: our "
        "own failure. More may come.",
    },
    output=_or_null(
        _text("The output it is about, or the input (mutation, gradient); null: the whole.")
    ),
    message=_text("What was expected, and what came."),
    help=_text("How to go on; may be empty."),
)

_DIAGNOSIS = _object(
    "Why the solution fails, as far as it is known.",
    traps=_list("The known mistakes that together explain it; empty when none does.", _ref("Trap")),
    alternatives=_list(
        "Other sets of known mistakes that explain it as well, each by the ids of its traps.",
        _list("A set that could stand in place of `traps`.", _name("The id of a trap."), least=1),
    ),
    explained_cases=_whole("How many of the failed cases the traps explain."),
    failed_cases=_whole("How many cases failed."),
    first_wrong_stage=_or_null(
        _name(
            "The first stage of the computation whose result is wrong, as the problem names it, or "
            "`contract`; null when it is not known."
        )
    ),
    line=_or_null(
        _whole(
            "The first wrong line of the file, from 1: where a result is wrong that was right "
            "before, where the contract is broken, or where it raised; null when it is not known "
            "or not told.",
            least=1,
        )
    ),
    source=_or_null(_text("That line's text; null when there is no line.")),
    last_right_line=_or_null(
        _whole(
            "The last line before it that gave the right result of a stage; null when none was "
            "seen.",
            least=1,
        )
    ),
    summary=_text("The cause in one sentence: the titles of the traps, else what was found first."),
)

_TRAP = _object(
    "A known mistake.",
    id=_name("As the problem has it, for `explain`."),
    stage=_name("The step of the computation where it is made, or `contract`."),
    title=_name("The mistake in one line."),
    hint=_name("What a learner is told."),
)

_ISOLATION = _object(
    "What held the solution while it ran.",
    namespaces={"type": "boolean", "description": "Whether it had namespaces of its own."},
    landlock=_whole("The kernel's Landlock ABI; 0: off."),
    memory=_one_of("How memory was limited: by the kernel, or watched.", "cgroup", "rss"),
    network=_one_of("The network it could reach.", "none", "host"),
)

_VERSIONS = _object(
    "What it was graded with.",
    grader=_name("Of Tensor Grader."),
    python=_name("Of Python."),
    torch=_name("Of torch, its build included."),
)
