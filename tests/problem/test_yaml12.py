"""YAML 1.2 scalars, places of nodes, and what is refused; with libyaml and without."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import yaml

from grader.problem import yaml12
from grader.problem.yaml12 import Document, read

FILE = Path("problem.yaml")


@pytest.fixture(params=["libyaml", "python"], autouse=True)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both of PyYAML's parsers."""
    if request.param == "libyaml" and not hasattr(yaml, "CSafeLoader"):
        pytest.skip("PyYAML has no libyaml here")
    if request.param == "python":
        monkeypatch.setattr(yaml12, "Loader", yaml.SafeLoader)


def text(source: str) -> Document:
    return read(source.encode(), FILE)


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("1e-5", 1e-5),
        ("1E+5", 1e5),
        ("-.5", -0.5),
        ("5.", 5.0),
        ("12", 12),
        ("-0", 0),
        ("007", 7),
        ("0o17", 15),
        ("0x1F", 31),
        ("017", 17),
        ("1:30", "1:30"),
        ("1_000", "1_000"),
        ("2001-01-01", "2001-01-01"),
        ("on", "on"),
        ("yes", "yes"),
        ("No", "No"),
        ("true", True),
        ("FALSE", False),
        ("~", None),
        ("null", None),
        (".inf", math.inf),
        ("-.INF", -math.inf),
        (".", "."),
        ("-", ["-"]),
        ("+", "+"),
        ("1e", "1e"),
        ("٣", "٣"),
        ("'12'", "12"),
        ('"true"', "true"),
        ("layers + 1", "layers + 1"),
        ("<<", "<<"),
        ("=", "="),
    ],
)
def test_scalars_are_those_of_yaml_1_2(scalar: str, value: object) -> None:
    """Numbers, true, false and null; everything else is text."""
    if scalar == "-":
        assert text("a: [ '-' ]").data == {"a": value}
    else:
        assert text(f"a: {scalar}").data == {"a": value}
        assert type(text(f"a: {scalar}").data["a"]) is type(value)  # type: ignore[index]


def test_nan_is_read() -> None:
    """It is the reader's to refuse."""
    assert math.isnan(text("a: .nan").data["a"])  # type: ignore[index]


def test_every_node_has_its_place() -> None:
    """Lines and columns count from 1, of a value and of its key."""
    document = text("a: 1\nb:\n  - x\n  - {c: [1, 2]}\n")
    error = document.error(("b", 1, "c", 1), "here")
    assert (error.line, error.column) == (4, 13)
    error = document.key_error(("b", 1, "c"), "here")
    assert (error.line, error.column) == (4, 6)
    assert document.node(("b",)).line == 3
    assert document.node(("a",)).text == "1"


def test_a_place_that_does_not_exist_is_the_nearest_around_it() -> None:
    """Parts of a path that the file lacks are passed over."""
    document = text("a:\n  b: 1\n")
    assert document.resolve(("a", "tag", "b", 0)) == ("a", "b")
    assert document.node(("a", "none")).line == 2
    assert not document.has(("a", "none"))
    assert document.keys("a") == ("b",)
    assert document.keys("a", "b") == document.keys("z") == ()


def test_columns_count_characters_not_bytes() -> None:
    """As editors do."""
    error = text("{é: 1, a: 1, a: 2}").errors[0]
    assert (error.line, error.column) == (1, 14)


def test_a_repeated_key_is_refused_and_the_first_kept() -> None:
    """The rest of the file is still read, so that its mistakes are found too."""
    document = text("a: 1\nb: {c: 1, c: {d: [2]}}\na: 3\n")
    assert document.data == {"a": 1, "b": {"c": 1}}
    assert [(e.line, e.column, e.message) for e in document.errors] == [
        (2, 11, 'key "c" is given twice, first on line 2'),
        (3, 1, 'key "a" is given twice, first on line 1'),
    ]


BOMB = "a: &a [1]\nb: &b [*a, *a]\n"


@pytest.mark.parametrize(
    ("source", "line", "column", "says"),
    [
        (b"", 1, 1, "the file is empty"),
        (b"# only a comment\n", 1, 1, "the file is empty"),
        (b"~", 1, 1, "the file is empty"),
        (b"a: 1\n---\nb: 2\n", 2, 1, "a second document"),
        (b"a: [1, 2\nb: 3\n", 2, 2, "not valid YAML"),
        (b"a:\n\t- 1\n", 2, 1, "not valid YAML"),
        (b"a: b: c\n", 1, 5, "not valid YAML"),
        (b"a: !!python/object/apply:os.system [ls]\n", 1, 4, "tag"),
        (b"a: !!str 1\n", 1, 4, "tag"),
        (b"a: ! 1\n", 1, 4, "tag"),
        (BOMB.encode(), 1, 4, "anchor &a is not allowed"),
        (b"a: *b\n", 1, 4, "alias *b is not allowed"),
        (b"a:\n  1: x\n", 2, 3, 'key "1" is not a text'),
        (b"true: x\n", 1, 1, 'key "true" is not a text'),
        (b"? [a, b]\n: 1\n", 1, 3, "key that is a list or a mapping is not a text"),
        (b"{{a: 1}: 1}\n", 1, 2, "key that is a list or a mapping is not a text"),
        (b"a: 1\nb: \xff\n", 2, 4, "byte 0xff is not UTF-8"),
        ("é\né".encode("latin-1"), 1, 1, "byte 0xe9 is not UTF-8"),
        ("a: 1".encode("utf-16"), 1, 1, "is not UTF-8"),
        (b"\xef\xbb\xbfa: \xff\n", 1, 4, "byte 0xff is not UTF-8"),
        (b"a: 1\nbc\x00: 2\n", 2, 3, "character U+0000 is not allowed"),
        (b"a: \x1b[31m\n", 1, 4, "character U+001B is not allowed"),
        (b"a: " + b"9" * 5000, 1, 4, "more than 40 digits"),
        (b"[" * 40 + b"]" * 40, 1, 33, "nested deeper than 32 levels"),
        (b"- " * 100_000, 1, 65, "nested deeper than 32 levels"),
        (b"#" * (yaml12.MAX_BYTES + 1), 1, 1, "more than 1048576"),
    ],
)
def test_what_is_refused_is_told_with_its_place(
    source: bytes, line: int, column: int, says: str
) -> None:
    """One mistake, and no data: nothing is guessed from a file that is not plain YAML."""
    document = read(source, FILE)
    (error,) = document.errors
    assert says in error.message
    assert (error.line, error.column) == (line, column)
    assert document.data is None


@pytest.mark.parametrize("escape", [r"\UFFFFFFFF", r"\x0"])
def test_an_impossible_escape_is_refused(escape: str) -> None:
    """Also where the parser itself stumbles over it."""
    document = text(f'a: "{escape}"')
    assert len(document.errors) == 1
    assert document.data is None


def test_endless_nesting_is_refused() -> None:
    """By our own limit or by libyaml's, which it reaches while it looks ahead."""
    (error,) = read(b"[" * 100_000, FILE).errors
    assert "nest" in error.message


def test_a_byte_order_mark_is_passed_over() -> None:
    """Some editors write one."""
    assert read(b"\xef\xbb\xbfa: 1\n", FILE).data == {"a": 1}


def test_windows_line_ends_are_read() -> None:
    """The places are the same."""
    document = read(b"a: 1\r\nb: 2\r\n", FILE)
    assert document.data == {"a": 1, "b": 2}
    assert document.node(("b",)).line == 2


def test_reading_stops_when_the_wanted_keys_are_there() -> None:
    """What follows is not even parsed, so a list of problems is quick."""
    document = read(b"a: 1\nb: [2, 3]\nc: [", FILE, until=frozenset({"a", "b"}))
    assert document.errors == ()
    assert document.data == {"a": 1, "b": [2, 3]}
