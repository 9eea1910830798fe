"""Results and exceptions as plain data: exact types are read, all else is named, all is bounded."""

from __future__ import annotations

import json
from types import FunctionType
from typing import Any, NoReturn

import numpy as np
import pytest
import torch
from torch import Tensor

from grader.sandbox.outcome import describe_exception, pack_value

PATH = "/scratch/solution.py"


def pack(value: Any, max_bytes: int = 1 << 20) -> tuple[dict[str, Any], list[Tensor]]:
    """The value as it would be sent; what is sent is plain JSON."""
    tensors: list[Tensor] = []
    packed = pack_value(value, tensors, max_bytes)
    assert json.loads(json.dumps(packed, allow_nan=False)) == packed
    return packed, tensors


class Liar:
    """Says it is a tensor, has a shape, and cannot be looked at."""

    shape = (2, 3)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return Tensor

    def __repr__(self) -> NoReturn:
        raise RuntimeError("not to be looked at")


class LyingDict(dict[str, Any]):
    """Its methods know of other things than it holds."""

    def items(self) -> Any:
        return [("right", 1)]

    def __len__(self) -> int:
        return 0


class LyingList(list[Any]):
    """As above."""

    def __iter__(self) -> NoReturn:
        raise RuntimeError

    def __getitem__(self, index: Any) -> Any:
        return "other"


class Subclass(Tensor):
    """Not exactly a tensor."""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ("NoneType", "None")),
        (True, ("bool", "True")),
        (3, ("int", "3")),
        (1.5, ("float", "1.5")),
        (float("nan"), ("float", "nan")),
        ("x" * 9000, ("str", "x" * 2000)),
        (1 << 300, ("int", "a very large integer")),
    ],
)
def test_plain_values_are_sent_as_text(value: Any, expected: tuple[str, str]) -> None:
    """Cut, and never as a number that JSON lacks."""
    packed, _ = pack(value)
    assert (packed["t"], packed["type"], packed["text"]) == ("plain", *expected)


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (Liar(), "Liar", "shape (2, 3)"),
        (np.zeros((2, 3)), "numpy.ndarray", "shape (2, 3)"),
        (np.float64(1.5), "numpy.float64", "shape ()"),
        (torch.ones(2).as_subclass(Subclass), "Subclass", "shape (2)"),
        (torch.nn.Parameter(torch.ones(2)), "torch.nn.parameter.Parameter", "shape (2)"),
        (torch.Size([2]), "tuple", ""),
        ({1: 2}, "dict", ""),
        (object(), "object", ""),
        ({1, 2}, "set", ""),
        (1j, "complex", ""),
        (len, "builtin_function_or_method", ""),
    ],
)
def test_anything_else_is_named_by_its_type(value: Any, kind: str, text: str) -> None:
    """By what it is, not by what it says."""
    packed, tensors = pack(value)
    assert packed["type"].rpartition(f"{__name__}.")[2] == kind
    assert packed.get("text", "") == text
    assert tensors == []


def test_a_lying_container_is_read_as_what_it_holds() -> None:
    """Through the methods of dict and list themselves."""
    packed, tensors = pack(LyingDict(a=torch.ones(2), b=LyingList([1, 2])))
    assert [key for key, _ in packed["items"]] == ["a", "b"]
    assert [item["text"] for item in packed["items"][1][1]["items"]] == ["1", "2"]
    assert len(tensors) == 1


def test_depth_is_bounded() -> None:
    """A list that holds itself has an end."""
    value: list[Any] = []
    value.append(value)
    text = json.dumps(pack(value)[0])
    assert "too large or too deep" in text
    assert len(text) < 1000


@pytest.mark.parametrize(
    "value",
    [[0] * 10_000_000, {str(i): i for i in range(100_000)}, [[0] * 1000] * 1000],
    ids=["long", "many keys", "broad"],
)
def test_the_number_of_items_is_bounded(value: Any) -> None:
    """What is beyond is left out."""
    assert len(json.dumps(pack(value)[0])) < 20_000


def test_keys_are_cut() -> None:
    """A key of 10 MB is a key of 2,000 characters."""
    packed, _ = pack({"k" * 10_000_000: 1})
    assert len(packed["items"][0][0]) == 2000


def test_bytes_are_bounded_over_all_tensors() -> None:
    """An expanded tensor counts as large as it would be sent."""
    packed, tensors = pack([torch.ones(100), torch.ones(1).expand(100)], max_bytes=600)
    assert [item["defect"] for item in packed["items"]] == [
        "",
        "takes 0 MB, more than can be returned",
    ]
    assert len(tensors) == 1


@pytest.mark.parametrize(
    ("make", "defect"),
    [
        (lambda: torch.ones(2).to_sparse(), "is not dense (sparse_coo)"),
        (lambda: torch.ones(2, dtype=torch.complex64), "has dtype complex64"),
        (lambda: torch.empty(2, dtype=torch.float8_e4m3fn), "has dtype float8_e4m3fn"),
        (lambda: _shrunken(), "has a storage smaller than its shape"),
        (lambda: torch.empty(2, device="meta"), ""),
    ],
)
def test_a_tensor_that_cannot_be_sent_says_why(make: Any, defect: str) -> None:
    """Its dtype, shape and device are told all the same."""
    packed, tensors = pack(make())
    assert (packed["defect"], packed["at"], packed["shape"]) == (defect, None, [2])
    assert tensors == []


def _shrunken() -> Tensor:
    tensor = torch.ones(2)
    tensor.untyped_storage().resize_(4)
    return tensor


def test_instance_attributes_do_not_speak_for_a_tensor() -> None:
    """They shadow methods, and are not asked."""
    tensor = torch.ones(2)
    for name in ("numel", "element_size", "stride", "storage_offset", "untyped_storage"):
        setattr(tensor, name, lambda *_: 10**9)
    packed, tensors = pack(tensor)
    assert (packed["defect"], packed["at"]) == ("", 0)
    assert tensors[0] is tensor


def caught(source: str, path: str = PATH) -> BaseException:
    """The exception that the lines end in, as if they were the file at `path`."""
    try:
        exec(compile(source, path, "exec"), {})
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


def describe(source: str, path: str = PATH) -> dict[str, Any]:
    """Its description, which is plain JSON."""
    described = describe_exception(caught(source, path), PATH, "call")
    json.dumps(described, allow_nan=False)
    return described


def test_the_lines_are_those_of_the_own_file() -> None:
    """Outermost first; library frames between them are left out."""
    described = describe("import json\ndef f():\n    json.loads('{')\nf()\n")
    assert described["type"] == "json.decoder.JSONDecodeError"
    assert described["lines"] == [(4, "<module>"), (3, "f")]


def test_a_deep_recursion_keeps_both_ends() -> None:
    """At most twenty lines."""
    described = describe("def f():\n    f()\nf()\n")
    assert described["type"] == "RecursionError"
    assert len(described["lines"]) == 20
    assert described["lines"][0] == (3, "<module>")


def test_a_syntax_error_has_line_and_column() -> None:
    """The parser's, for it has no frame."""
    described = describe("x = 1\ny = (2\n")
    assert (described["type"], described["lines"]) == ("SyntaxError", [[2, "<module>"]])
    assert described["column"] == 5
    assert described["message"] == "'(' was never closed"


def test_causes_are_not_followed() -> None:
    """Twenty thousand of them take no time."""
    source = "e = ValueError('last')\nc = e\nfor _ in range(20000):\n"
    source += "    c.__cause__ = KeyError('x' * 100)\n    c = c.__cause__\nraise e\n"
    assert describe(source)["message"] == "last"


HOSTILE_EXCEPTIONS = {
    "its text raises": "class E(Exception):\n    def __str__(self): 1 / 0\nraise E\n",
    "its text exits": "class E(Exception):\n    def __str__(self): raise SystemExit(0)\nraise E\n",
    "its text is no text": "class E(Exception):\n    def __str__(self): return 3\nraise E\n",
    "its text is a text of its own": (
        "class S(str):\n    def __getitem__(self, i): return object()\n"
        "class E(Exception):\n    def __str__(self): return S('ok')\nraise E\n"
    ),
    "its text is huge": "raise ValueError('x' * 50_000_000)\n",
    "its text is half a surrogate": "raise ValueError('\\ud800')\n",
    "its class is a lie": (
        "class E(Exception):\n    __class__ = property(lambda self: 1 / 0)\nraise E\n"
    ),
    "its traceback is a lie": (
        "class E(Exception):\n    __traceback__ = property(lambda self: 1 / 0)\nraise E\n"
    ),
    "a syntax error with odd fields": (
        "class B:\n    def __str__(self): 1 / 0\n"
        "e = SyntaxError('x')\ne.lineno, e.offset, e.msg = 1, B(), B()\nraise e\n"
    ),
    "a syntax error of its own": (
        "class E(SyntaxError):\n    lineno = msg = property(lambda self: 1 / 0)\nraise E('x')\n"
    ),
    "its type has no name": (
        "class M(type):\n    __name__ = property(lambda self: 1 / 0)\n"
        "class E(Exception, metaclass=M): pass\nraise E\n"
    ),
    "its module is no text": "class E(Exception): pass\nE.__module__ = 3\nraise E\n",
    "system exit": "raise SystemExit('accepted')\n",
    "keyboard interrupt": "raise KeyboardInterrupt\n",
    "generator exit": "raise GeneratorExit\n",
    "a group of groups": (
        "e = ValueError('x')\nfor _ in range(300): e = ExceptionGroup('g', [e])\nraise e\n"
    ),
}


@pytest.mark.parametrize("source", HOSTILE_EXCEPTIONS.values(), ids=HOSTILE_EXCEPTIONS.keys())
def test_no_exception_is_beyond_description(source: str) -> None:
    """Whatever it does when it is looked at: type, text and line are there, and short."""
    described = describe(source)
    assert described["type"]
    assert len(described["message"]) <= 2000
    assert described["lines"][0][0] >= 1


def test_a_frame_of_another_file_is_not_quoted() -> None:
    """A file that names itself otherwise has no lines."""
    assert describe("raise ValueError", "/elsewhere.py")["lines"] == []


def test_function_names_are_cut() -> None:
    """A solution can call a function anything."""
    code = compile("1 / 0", PATH, "exec").replace(co_name="n" * 100_000)
    with pytest.raises(ZeroDivisionError) as caught_here:
        FunctionType(code, {})()
    described = describe_exception(caught_here.value, PATH, "call")
    assert described["lines"] == [(1, "n" * 100)]


def test_an_exception_without_traceback_has_no_lines() -> None:
    """It was never raised."""
    assert describe_exception(ValueError(), PATH, "call")["lines"] == []
