"""A solution's file read as text: what a line says, stands in, binds, makes, or names."""

from __future__ import annotations

import textwrap
import time

import pytest

from grader.grading.source import Source

FILE = """\
import torch

class Mine:
    def __init__(self, width):
        self.norm = torch.nn.LayerNorm(width)
        self.soft: torch.nn.Module = nn.Softmax(dim=0)
        self.plain = nn.Softmax()

def f(x, eps=1e-6):
    total = 0
    rows: list[Tensor] = []
    for row in x:

        # total = 1
        y = row + eps
        if y.sum() == total:
            total += 1
    while total < 3:
        total = total * 2
    with torch.no_grad():
        for z in x:
            total = z
    done = [total for z in x]
    return done
"""
SOURCE = Source.of(FILE.encode())


def of(text: str) -> Source:
    return Source.of(textwrap.dedent(text).lstrip("\n").encode())


class TestText:
    def test_lines_are_counted_from_one(self) -> None:
        """As editors do."""
        assert SOURCE.text(1) == "import torch"
        assert SOURCE.text(10) == "    total = 0"

    @pytest.mark.parametrize("line", [0, -1, -(1 << 62), 1 << 62])
    def test_where_there_is_no_line_there_is_no_text(self, line: int) -> None:
        """The number comes from the solution's process."""
        assert SOURCE.text(line) == ""
        assert not SOURCE.has_word(line, "torch")

    @pytest.mark.parametrize(
        ("data", "lines"),
        [
            (b"", [""]),
            (b"a\nb", ["a", "b"]),
            (b"\xef\xbb\xbfa\n", ["a", ""]),
            (b"a\r\nb", ["a\r", "b"]),
            (b"\xff\n\x00", ["\ufffd", "\x00"]),
            (b"a\x0cb\x1cc\nd", ["a\x0cb\x1cc", "d"]),
        ],
        ids=["nothing", "two", "a mark", "carriage returns", "no UTF-8", "other separators"],
    )
    def test_any_bytes_have_lines(self, data: bytes, lines: list[str]) -> None:
        """They end at a newline and nowhere else; what is no UTF-8 is text all the same."""
        assert list(Source.of(data).lines) == lines

    def test_of_a_long_line_only_the_start_is_looked_at(self) -> None:
        """No person writes so much in one."""
        source = of("x = 1" + " " * 100_000 + "+ eps")
        assert source.text(1).startswith("x = 1 ")
        assert not source.has_word(1, "eps")

    @pytest.mark.parametrize(
        ("word", "expected"),
        [("eps", True), ("row", True), ("ro", False), ("rows", False), ("+", False), ("(", False)],
    )
    def test_words_are_whole(self, word: str, expected: bool) -> None:
        """What stands in a longer word is another; a name may be anything."""
        assert SOURCE.has_word(15, word) is expected

    @pytest.mark.parametrize(
        ("line", "name", "expected"),
        [(5, "norm", True), (5, "LayerNorm", True), (5, "width", False), (15, "eps", False)],
    )
    def test_attributes(self, line: int, name: str, expected: bool) -> None:
        """A name after a dot."""
        assert SOURCE.has_attribute(line, name) is expected


class TestLoops:
    @pytest.mark.parametrize(
        ("line", "loop"),
        [(15, 12), (17, 12), (14, 12), (19, 18), (22, 21), (12, None), (23, None), (10, None),
         (1, None), (0, None), (-3, None), (1 << 62, None)],
    )  # fmt: skip
    def test_the_innermost(self, line: int, loop: int | None) -> None:
        """By indentation, over blank lines, comments and what lies deeper; a header is in none."""
        assert SOURCE.loop_around(line) == loop

    def test_a_loop_ends_at_its_function(self) -> None:
        """Code of a function that is defined in a loop is not repeated by it."""
        source = of(
            """
            for i in x:
                def g(t):
                    return t + 1
            for i in x:
                y = lambda t: t
            format = 1
            forward = (
                format
            )
            """
        )
        assert [source.loop_around(n) for n in (3, 5, 8)] == [None, 4, None]

    def test_without_gradients(self) -> None:
        """The block that opens it, through a loop in it; beside it there is none."""
        assert [SOURCE.without_gradients(n) for n in (22, 21, 20, 23, 1 << 62)] == [
            20, 20, None, None, None,
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("header", "found"),
        [
            ("with torch.no_grad():", 1),
            ("with torch.inference_mode(), open(y) as z:", 1),
            ("with torch.set_grad_enabled(False):", 1),
            ("with torch.enable_grad():", None),
            ("no_grad = torch.no_grad()\nif no_grad:", None),
        ],
    )
    def test_what_opens_a_block_without_gradients(self, header: str, found: int | None) -> None:
        """The usual ways."""
        source = of(f"{header}\n    y = x")
        assert source.without_gradients(header.count("\n") + 2) == found


class TestNames:
    @pytest.mark.parametrize(
        ("name", "up_to", "line"),
        [
            ("total", 24, 22),
            ("total", 21, 19),
            ("total", 18, 10),
            ("total", 9, None),
            ("rows", 24, 11),
            ("row", 24, None),
            ("eps", 24, None),
            ("(", 24, None),
            ("total", 1 << 62, 22),
            ("total", -5, None),
        ],
    )
    def test_the_last_binding(self, name: str, up_to: int, line: int | None) -> None:
        """Annotated or not; no comparison, no `+=`, no comment, no parameter."""
        assert SOURCE.binding(name, up_to) == line

    @pytest.mark.parametrize(
        ("name", "operation", "line"),
        [
            ("norm", "layer_norm", 5),
            ("soft", "softmax", 6),
            ("norm", "rms_norm", None),
            ("plain", "softmax", None),
            ("other", "layer_norm", None),
            ("(", "softmax", None),
        ],
    )
    def test_where_a_layer_is_made(self, name: str, operation: str, line: int | None) -> None:
        """With arguments, for they are what may be wrong; of the class that the call is of."""
        assert SOURCE.making(name, operation) == line


NAMING = {
    "a dict": ('def f(x):\n    y = x\n    return {"a": y}', 3, 3),
    "single quotes": ("def f(x):\n    return {'a': x}", 2, 2),
    "a dict over lines": ('return {\n    "b": y,\n    "a": z,\n}', 1, 3),
    "a keyword": ("return dict(\n    b=y,\n    a=z,\n)", 1, 3),
    "an item": ('out = {}\nout["a"] = x\nout["b"] = x\nreturn out', 4, 2),
    "the last item before": ('out["a"] = x\nout["a"] = y\nreturn out\nout["a"] = z', 3, 2),
    "the return that was taken": ('if x:\n    return {"a": x}\nreturn {"a": y}', 2, 2),
    "a pair": ('return dict([\n    ("b", y),\n    ("a", z),\n])', 1, 3),
    "only after": ('def f(x):\n    return g(x)\ndef g(x):\n    return {"a": x}', 2, 4),
    "only quoted": ('A = "a"\ndef f(x):\n    return {A: x}', 3, 1),
    "a comment": ('return x\n# "a": x', 1, None),
    "a comparison": ("if a == 3: pass\nreturn x", 2, None),
    "another name": ('return {"aa": x, "b": a}', 1, None),
    "nowhere": ("return x", 1, None),
    "a return that is nowhere": ('y = 1\nreturn {"a": x}', 1 << 62, 2),
    "no return": ('y = 1\nreturn {"a": x}', None, 2),
    "brackets that never close": ('return {"b": (\n"a": x' + "\n" * 100, 1, 2),
}


@pytest.mark.parametrize(("text", "returned", "line"), NAMING.values(), ids=NAMING.keys())
def test_the_line_that_names_an_output(text: str, returned: int | None, line: int | None) -> None:
    """In the statement that returned, else before it, else anywhere; else where it is quoted."""
    assert Source.of(text.encode()).naming("a", returned) == line


@pytest.mark.parametrize(
    ("name", "line"),
    [("(", 1), ("a.b", 1), ("\\", 1), ("[", 1), ("", 1), ("a" * 5000, None)],
)
def test_a_name_may_be_anything(name: str, line: int | None) -> None:
    """A key comes from the solution: it is never a pattern."""
    assert Source.of(f'return {{"{name}": x}}'.encode()).naming(name, 1) == line
    assert Source.of(b"return {'acb': x}").naming(name, 1) is None


@pytest.mark.parametrize(
    "text",
    ["\n" * 1_000_000, "(\n" * 500_000, "x = (" * 200_000, "    a\n" * 160_000 + '"a"' * 9],
    ids=["blank lines", "open brackets", "one line", "indented"],
)
def test_a_file_of_a_megabyte_takes_no_time(text: str) -> None:
    """Whatever is asked of it, a hundred times."""
    source = Source.of(text.encode())
    last = len(source.lines)
    started = time.perf_counter()
    for _ in range(25):
        for line in (1, last, 1 << 62, -(1 << 62)):
            source.loop_around(line)
            source.without_gradients(line)
            source.binding("b", line)
            source.naming("b", line)
            source.making("b", "softmax")
    assert time.perf_counter() - started < 10
