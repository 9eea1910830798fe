"""Whatever the bytes of a spec: a Problem, or mistakes that each have a place in the file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.problem import yaml12
from grader.problem.errors import ProblemInvalid
from grader.problem.load import load
from grader.problem.model import Problem

EXAMPLES = int(os.environ.get("TENSOR_GRADER_EXAMPLES", "100"))
PIECES = [
    b"{",
    b"}",
    b"[",
    b"]",
    b": ",
    b"- ",
    b"\n",
    b"  ",
    b"~",
    b"1e-5",
    b"-1",
    b"''",
    b"&a ",
    b"*a",
]
PIECES += [
    b"!!x ",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"true",
    b".inf",
    b"{}",
    b"[]",
    b"|\n",
    b"'",
    b"#",
]
PIECES += [b"batch", b"first", b"x", b"0", b"9" * 50, b"\t", b"\r", b"\\", b"%", b"? "]


@st.composite
def edits(draw: st.DrawFn) -> list[tuple[int, int, bytes]]:
    """Some changes: at a place per mille of the file, so many bytes replaced by a piece."""
    change = st.tuples(
        st.integers(0, 999), st.integers(0, 30), st.sampled_from(PIECES) | st.binary(max_size=6)
    )
    return draw(st.lists(change, min_size=1, max_size=4))


def mutate(spec: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for place, length, piece in changes:
        start = len(spec) * place // 1000
        spec = spec[:start] + piece + spec[start + length :]
    return spec


def moved(spec: bytes, source: int, target: int) -> bytes:
    """The spec with what follows the colon of one line put after that of another."""
    lines = spec.split(b"\n")
    source, target = source % len(lines), target % len(lines)
    value = lines[source].partition(b":")[2]
    head, colon, _ = lines[target].partition(b":")
    lines[target] = head + colon + value
    return b"\n".join(lines)


def outcome(folder: Path, spec: bytes) -> Problem | None:
    """The problem, or None after a check of the mistakes' places."""
    (folder / "problem.yaml").write_bytes(spec)
    try:
        return load(folder)
    except ProblemInvalid as invalid:
        errors = invalid.errors
    lines = spec.decode("utf-8", "replace").replace("\r", "\n").count("\n") + 3
    assert errors
    for error in errors:
        assert error.message
        assert 1 <= error.line <= lines
        assert error.column >= 1
        assert "\n" not in error.message + error.help
    return None


@pytest.mark.parametrize("parser", ["CSafeLoader", "SafeLoader"])
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(changes=edits())
def test_mutated_bytes_are_a_problem_or_mistakes(
    toy: str, write: Callable[[str], Path], parser: str, changes: list[tuple[int, int, bytes]]
) -> None:
    """No bytes raise anything but ProblemInvalid, with libyaml or without."""
    folder = write(toy)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml12, "Loader", getattr(yaml, parser, yaml12.Loader))
        outcome(folder, mutate(toy.encode(), changes))


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(source=st.integers(0, 99), target=st.integers(0, 99))
def test_values_in_the_wrong_place_are_a_problem_or_mistakes(
    toy: str, write: Callable[[str], Path], source: int, target: int
) -> None:
    """Valid YAML of the wrong form reaches deeper than broken YAML does."""
    outcome(write(toy), moved(toy.encode(), source, target))


json_like = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["x", "first", "batch", "1e"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["x", "normal", "over", "values", "name"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(line=st.integers(0, 99), value=json_like)
def test_any_value_at_any_key_is_a_problem_or_mistakes(
    toy: str, write: Callable[[str], Path], line: int, value: object
) -> None:
    """Each line's value is replaced by lists, mappings, numbers, texts and nothing."""
    lines = toy.split("\n")
    head, colon, _ = lines[line % len(lines)].partition(":")
    lines[line % len(lines)] = f"{head}{colon} {value!r}"
    outcome(write(toy), "\n".join(lines).encode())
