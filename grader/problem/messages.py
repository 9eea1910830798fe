"""What pydantic found, in our words: one sentence and a help for each kind of mistake."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic_core import ErrorDetails

from grader.problem.errors import SpecError, quoted
from grader.problem.fields import FORMAT_VERSION, MEMORY_FLOOR_MB
from grader.problem.names import close_name
from grader.problem.schema import json_schema
from grader.problem.yaml12 import Document

_MUST = {
    "string_type": "must be a text",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "number": "must be a finite number",
    "finite_number": "must be a finite number",
    "list_type": "must be a list",
    "dict_type": "must be a mapping",
    "model_type": "must be a mapping",
    "identifier": "",
}
"""Mistakes of type: what the value must be. The message adds what it is."""

_RANGES = {
    "greater_than": ("gt", "must be above"),
    "greater_than_equal": ("ge", "must be at least"),
    "less_than": ("lt", "must be below"),
}
_DTYPES_OF_TORCH = frozenset(
    {"complex64", "complex128", "double", "float", "half", "int", "int8", "int16", "long", "short"}
    | {"uint8", "uint16", "uint32", "uint64"}
)
"""Those that exist and that this grader does not support."""


def explain(errors: Sequence[ErrorDetails], document: Document) -> tuple[SpecError, ...]:
    """Return pydantic's errors as mistakes at their places in the file."""
    unknown = any(error["type"] == "extra_forbidden" for error in errors)
    schema = json_schema() if unknown else {}
    return tuple(_explained(error, document, schema) for error in errors)


def _explained(error: ErrorDetails, document: Document, schema: Mapping[str, Any]) -> SpecError:
    inside = ("kind",) if error["type"] == "union_tag_invalid" else ()
    at = (*error["loc"], *inside, *error.get("ctx", {}).get("at", ()))
    name = _name(error, document)
    if error["type"] == "missing":
        return _missing(error, document)
    if error["type"] == "extra_forbidden":
        help = close_name(name, _known_keys(error["loc"][:-1], schema))
        return document.key_error(at, f"unknown key {quoted(name)}", help)
    message, help = _words(error, name)
    on_key = error["loc"][-1:] == ("[key]",)
    return document.key_error(at, message, help) if on_key else document.error(at, message, help)


def _missing(error: ErrorDetails, document: Document) -> SpecError:
    path = document.resolve(error["loc"][:-1])
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    where = f" in {place.lstrip('.')}" if place else ""
    return document.error(path, f"{quoted(str(error['loc'][-1]))} is missing{where}")


def _name(error: ErrorDetails, document: Document) -> str:
    """Return the key that the mistake is about, with its index in a list: `shape[1]`."""
    path = document.resolve(error["loc"])
    keys = [part for part in path if isinstance(part, str)]
    if not keys:
        return "the file"
    after = path[len(path) - path[::-1].index(keys[-1]) :]
    return keys[-1] + "".join(f"[{index}]" for index in after)


def _words(error: ErrorDetails, name: str) -> tuple[str, str]:
    """Return message and help."""
    kind, context = error["type"], error.get("ctx", {})
    if kind in ("literal_error", "union_tag_invalid"):
        return _not_one_of(error, name)
    if kind in _RANGES:
        return _out_of_range(error, name)
    if kind == "repeated":
        return f"{quoted(context['name'])} is listed twice in {name}", "keep one of the two"
    if kind in ("value_error", "expression", "exactly_one"):
        reason = str(context.get("error") or context.get("reason"))
        return (reason if reason.startswith('"') else f"{name} {reason}"), ""
    if kind == "formula":
        return f"{name} {error['msg']}", ""
    if kind == "format":
        return _wrong_format(error["input"])
    return _wrong_form(error, name), ""


def _not_one_of(error: ErrorDetails, name: str) -> tuple[str, str]:
    tag = error["type"] == "union_tag_invalid"
    key = "kind" if tag else name
    expected = error.get("ctx", {})["expected_tags" if tag else "expected"]
    value = error.get("ctx", {})["tag"] if tag else error["input"]
    known = [word.strip(" '") for word in expected.replace(" or ", ",").split(",")]
    if not isinstance(value, str):
        return f"{key} must be one of {', '.join(known)}, not {_shown(value)}", ""
    if "float32" in known:
        supported = "supported" if value in _DTYPES_OF_TORCH else "a torch dtype"
        label = "dtype" if error["loc"][-1] == "[key]" else key
        return f"{label} {quoted(value)} is not {supported}", close_name(value, known)
    return f"{key} {quoted(value)} is not one of {', '.join(known)}", close_name(value, known)


def _out_of_range(error: ErrorDetails, name: str) -> tuple[str, str]:
    key, words = _RANGES[error["type"]]
    bound = error.get("ctx", {})[key]
    message = f"{name} {words} {int(bound)}, not {_shown(error['input'])}"
    if name == "memory_mb" and bound == MEMORY_FLOOR_MB:
        return message, f"torch alone needs {bound} MB"
    return message, ""


def _wrong_format(version: object) -> tuple[str, str]:
    help = f"this grader reads format {FORMAT_VERSION}"
    return f"format_version {_shown(version)} is not known", help


def _wrong_form(error: ErrorDetails, name: str) -> str:
    """Return the message for a value of the wrong type or of the wrong length."""
    kind, value = error["type"], error["input"]
    if kind == "identifier":
        return f"{quoted(str(value))} {error['msg']}"
    if kind in _MUST:
        return f"{name} {_MUST[kind]}, not {_shown(value)}"
    if kind in ("string_too_short", "string_pattern_mismatch", "string_too_long"):
        return f"{name} {_wrong_text(str(value))}"
    if kind in ("too_short", "too_long"):
        bounds = error.get("ctx", {})
        size = bounds.get("min_length", bounds.get("max_length"))
        if bounds["actual_length"] == 0:
            return f"{name} must not be empty"
        return f"{name} must have {size} entries, not {bounds['actual_length']}"
    return f"{name}: {error['msg'][:1].lower()}{error['msg'][1:]}"


def _wrong_text(value: str) -> str:
    if not value.strip():
        return "must not be empty"
    if "\n" in value or len(value) > 200 or value != value.strip():
        return (
            f"must be one line of at most 200 characters, without space around it: {quoted(value)}"
        )
    return f"{quoted(value)} may hold only letters, digits, _ and -"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    if value is None:
        return "nothing"
    return "a list" if isinstance(value, list) else "a mapping"


def _known_keys(path: tuple[int | str, ...], schema: Mapping[str, Any]) -> set[str]:
    """Return the keys that the schema knows at a place, which pydantic does not tell."""
    nodes = [schema]
    for part in path:
        inner = [child for node in nodes for child in _inside(node, part, schema)]
        nodes = inner or nodes
    return {
        key for node in nodes for one in _forms(node, schema) for key in one.get("properties", ())
    }


def _inside(node: Mapping[str, Any], part: int | str, schema: Mapping[str, Any]) -> Iterator[Any]:
    for form in _forms(node, schema):
        if isinstance(part, int):
            yield from (form[key] for key in ("items",) if key in form)
        elif part in form.get("properties", {}):
            yield form["properties"][part]
        elif isinstance(form.get("additionalProperties"), dict):
            yield form["additionalProperties"]
        else:
            yield from form.get("patternProperties", {}).values()


def _forms(node: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the node itself with its references followed and its alternatives opened."""
    yield node
    if "$ref" in node:
        yield from _forms(schema["$defs"][node["$ref"].rpartition("/")[2]], schema)
    for choice in (*node.get("anyOf", ()), *node.get("oneOf", ())):
        yield from _forms(choice, schema)
