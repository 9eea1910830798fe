"""A reply read field by field: values come out of honest ones, FrameError out of all others."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from grader.sandbox import unpack
from grader.sandbox.frames import FrameError, pack, parse_header, parse_lengths
from grader.sandbox.messages import (
    Answer,
    DictValue,
    EntryProblem,
    FunctionCall,
    OtherValue,
    PlainValue,
    Raised,
    Ready,
    SequenceValue,
    TensorValue,
    Traced,
    TraceStep,
)
from grader.sandbox.outcome import describe_exception, pack_value
from grader.tensors.wire import encode

Reply = tuple[dict[str, Any], bytes]

RAISED = {
    "type": "ValueError",
    "message": "no",
    "lines": [[3, "f"], [5, "g"]],
    "phase": "call",
    "column": None,
}


def reply_to(value: Any, gradients: dict[str, Tensor | None] | None = None) -> Reply:
    """What a fork would send for this result."""
    tensors: list[Tensor] = []
    header: dict[str, Any] = {"value": pack_value(value, tensors, 1 << 20), "id": 1}
    if gradients is not None:
        header["gradients"] = {}
        for name, gradient in gradients.items():
            header["gradients"][name] = None if gradient is None else len(tensors)
            tensors += [] if gradient is None else [gradient]
    return header, encode(tensors) if tensors else b""


def trace_reply(*rows: list[Any], tensors: list[Tensor] | None = None, **fields: Any) -> Reply:
    """What a fork would send of a trace with these rows, each of a tensor of its own."""
    header = {
        "trace": list(rows),
        "returned": 4,
        "mutated": None,
        "lines": [2, 3, 4],
        "calls": [[0, 0, []], [1, 3, ["axis"]]],
        "renumbered": [[3, "eps"]],
    }
    sent = [torch.full((2,), float(i)) for i in range(len(rows))] if tensors is None else tensors
    return {**header, **fields}, encode(sent) if sent else b""


ROWS: list[list[Any]] = [
    [2, "square", "call", [-1], [], 0, True],
    [2, "y", "name", [0], [], 0, True],
    [3, "t", "argument", [1], [], 0, False],
    [7, "sum", "call", [1, -2], [3], 1, False],
    [4, "total", "returned", [3], [], 0, False],
]

HONEST: dict[str, Reply] = {
    "tensors": reply_to({"a": torch.ones(2, 3), "b": torch.zeros(0, dtype=torch.int64)}),
    "gradients": reply_to(torch.ones(2), {"x": torch.ones(3), "y": None}),
    "nested": reply_to([(None, True, 3), {"deep": [1.5, "text", {"x": torch.ones(())}]}]),
    "others": reply_to({"a": object(), "b": torch.ones(2).to_sparse(), "c": {1: 2}}),
    "meta": (
        {"value": pack_value(torch.ones(2, device="meta"), [], 99), "conflict": "a", "line": 3},
        b"",
    ),
    "raised": ({"raised": describe_exception(ValueError("no"), "", "call")}, b""),
    "raised on meta": ({"raised": RAISED, "conflict": "`add` meets two", "line": 4}, b""),
    "backward": ({"value": {"t": "other", "type": "x"}, "gradients": {}, "backward": RAISED}, b""),
    "ready": ({"entry": "ready", "keyword": True}, b""),
    "missing": ({"entry": "missing", "names": [["g", 3], ["H", 0]], "found": ""}, b""),
    "trace": trace_reply(*ROWS),
}

PLACES: list[Any] = [
    *(None, True, -1, 0, 1, 2, 255, 300, 2**63, 1.5, "", "t", "x" * 5000),
    *([], [[]], [[1]], ["a", "b"], [["a", 1]], [[[], []]], [0] * 2000),
    *({}, {"t": "tensor"}, {"t": "tensor", "at": 0}, {"t": "sequence"}, {"t": []}),
    *({"t": "dict", "items": "ab"}, {"t": "dict", "items": [1]}, {"t": "sequence", "items": 3}),
    {"t": "dict", "items": {"a": 1}},
]


def spoil(tree: Any, data: st.DataObject) -> Any:
    """The tree with something else in one of its places."""
    if isinstance(tree, dict) and tree and data.draw(st.integers(0, 3)):
        key = data.draw(st.sampled_from(sorted(tree)))
        return {**tree, key: spoil(tree[key], data)}
    if isinstance(tree, list) and tree and data.draw(st.integers(0, 3)):
        at = data.draw(st.integers(0, len(tree) - 1))
        return [*tree[:at], spoil(tree[at], data), *tree[at + 1 :]]
    return data.draw(st.sampled_from(PLACES))


def read(header: dict[str, Any], body: bytes) -> None:
    """Read it in each way; FrameError is the one failure there may be."""
    for reader in (
        unpack.load_outcome,
        lambda h: unpack.call_outcome(h, body, ()),
        lambda h: unpack.traced(h, body),
    ):
        try:
            reader(copy.deepcopy(header))
        except FrameError:
            continue


@pytest.mark.parametrize("name", HONEST)
@given(st.data())
def test_a_spoiled_reply_is_a_value_or_a_frame_error(name: str, data: st.DataObject) -> None:
    """Up to three places of a real reply hold something else."""
    header, body = HONEST[name]
    for _ in range(data.draw(st.integers(1, 3))):
        header = spoil(header, data)
        if not isinstance(header, dict):
            return
    read(header, body)


@given(st.sampled_from(sorted(HONEST)), st.data())
def test_spoiled_bytes_are_a_value_or_a_frame_error(name: str, data: st.DataObject) -> None:
    """Bytes of the whole frame are changed, as they cross the channel."""
    frame = bytearray(pack(*HONEST[name]))
    for _ in range(data.draw(st.integers(1, 6))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    try:
        json_length, body_length = parse_lengths(bytes(frame[:16]), 1 << 20)
        header = parse_header(bytes(frame[16 : 16 + json_length]))
    except FrameError:
        return
    read(header, bytes(frame[16 + json_length :][:body_length]))


def test_an_honest_dict_comes_out_as_it_went_in() -> None:
    """Order, dtype, shape and values."""
    header, body = HONEST["tensors"]
    answer = unpack.call_outcome(header, body, ("x",))
    assert isinstance(answer, Answer)
    assert isinstance(answer.value, DictValue)
    first, second = answer.value.get("a"), answer.value.get("b")
    assert isinstance(first, TensorValue)
    assert isinstance(second, TensorValue)
    assert [key for key, _ in answer.value.items] == ["a", "b"]
    assert (first.dtype, first.shape, first.device) == ("float32", (2, 3), "cpu")
    assert first.data is not None
    assert torch.equal(first.data, torch.ones(2, 3))
    assert (second.dtype, second.shape) == ("int64", (0,))
    assert answer.mutated == ("x",)


def test_nested_values_keep_their_kinds() -> None:
    """Lists, tuples, plain values and a tensor deep inside."""
    answer = unpack.call_outcome(*HONEST["nested"], ())
    assert isinstance(answer, Answer)
    assert isinstance(answer.value, SequenceValue)
    assert answer.value.type == "list"
    assert answer.value.items[0] == SequenceValue(
        "tuple",
        (PlainValue("NoneType", "None"), PlainValue("bool", "True"), PlainValue("int", "3")),
    )


def test_what_is_not_a_value_comes_as_its_type() -> None:
    """And a tensor that cannot be sent says why."""
    answer = unpack.call_outcome(*HONEST["others"], ())
    assert isinstance(answer, Answer)
    assert isinstance(answer.value, DictValue)
    assert answer.value.get("a") == OtherValue("object")
    sparse = answer.value.get("b")
    assert isinstance(sparse, TensorValue)
    assert (sparse.data, sparse.defect) == (None, "is not dense (sparse_coo)")


def test_gradients_come_by_name_and_may_be_none() -> None:
    """None is an input that has no part in the result."""
    answer = unpack.call_outcome(*HONEST["gradients"], ())
    assert isinstance(answer, Answer)
    assert answer.gradients is not None
    assert list(answer.gradients) == ["x", "y"]
    assert answer.gradients["y"] is None


def test_an_exception_comes_with_its_lines() -> None:
    """Outermost first."""
    outcome = unpack.call_outcome({"raised": RAISED}, b"", ())
    assert outcome == Raised("ValueError", "no", ((3, "f"), (5, "g")), "call", None)


def test_a_conflict_survives_the_exception_that_followed() -> None:
    """Two devices met, then the call failed: the first is the cause."""
    answer = unpack.call_outcome(*HONEST["raised on meta"], ())
    assert isinstance(answer, Answer)
    assert (answer.device_conflict, answer.line) == ("`add` meets two", 4)
    assert answer.backward == Raised("ValueError", "no", ((3, "f"), (5, "g")))


def test_load_replies_are_read() -> None:
    """Ready, or what is in the entry's place."""
    assert unpack.load_outcome(HONEST["ready"][0]) == Ready(keyword=True)
    assert unpack.load_outcome(HONEST["missing"][0]) == EntryProblem(
        "missing", "", (("g", 3), ("H", 0))
    )


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ({}, "expected an object"),
        ({"value": {"t": "pickle"}}, "unknown kind of value"),
        ({"value": {"t": "tensor", "at": 10**6, "device": "cpu"}}, "too many tensors"),
        ({"value": {"t": "tensor", "at": 0, "device": "cpu"}}, "malformed tensors"),
        ({"value": {"t": "tensor", "at": -1, "device": "cpu"}}, "malformed tensors"),
        ({"value": {"t": "tensor", "at": True, "device": "cpu"}}, "expected an integer"),
        ({"value": {"t": "plain", "type": "int", "text": 3}}, "expected a text"),
        ({"value": {"t": "sequence", "items": [{}] * 1001}}, "expected a list"),
        ({"value": {"t": "dict", "items": [["a"]]}}, "expected 2 values"),
        ({"value": {"t": "other", "type": "x"}, "line": 2**63}, "expected an integer"),
        ({"value": {"t": "other", "type": "x"}, "gradients": []}, "expected an object"),
    ],
)
def test_the_first_thing_wrong_is_named(header: dict[str, Any], words: str) -> None:
    """For the log of whoever looks into it."""
    with pytest.raises(FrameError, match=words):
        unpack.call_outcome(header, b"", ())


def test_a_reply_nested_too_deep_is_refused() -> None:
    """Twenty lists in each other."""
    value: dict[str, Any] = {"t": "other", "type": "x"}
    for _ in range(20):
        value = {"t": "sequence", "items": [value]}
    with pytest.raises(FrameError, match="too deep"):
        unpack.call_outcome({"value": value}, b"", ())


def test_an_unknown_entry_kind_is_refused() -> None:
    """The set is closed."""
    with pytest.raises(FrameError, match="unknown entry kind"):
        unpack.load_outcome({"entry": "accepted"})


def test_dtype_and_shape_are_those_of_the_bytes() -> None:
    """What the fork claims beside them does not count."""
    header, body = reply_to(torch.ones(2))
    header["value"] |= {"dtype": "float64", "shape": [9]}
    answer = unpack.call_outcome(header, body, ())
    assert isinstance(answer, Answer)
    assert isinstance(answer.value, TensorValue)
    assert (answer.value.dtype, answer.value.shape) == ("float32", (2,))


class TestTrace:
    """The reply to "trace"."""

    def test_an_honest_one_comes_out_as_it_went_in(self) -> None:
        """Rows in order, each with its tensor."""
        found = unpack.traced(*HONEST["trace"])
        assert [step.value.tolist() for step in found.steps] == [[n, n] for n in range(5)]
        first, last = found.steps[0], found.steps[3]
        assert first == TraceStep(2, "square", first.value, "call", (-1,), (), 0, tracks=True)
        assert last == TraceStep(7, "sum", last.value, "call", (1, -2), (3,), 1, tracks=False)
        assert (found.returned, found.mutated, found.lines) == (4, None, (2, 3, 4))
        assert found.calls == (FunctionCall(0), FunctionCall(3, ("axis",)))
        assert found.renumbered == ((3, "eps"),)

    def test_nothing_seen_needs_no_tensors(self) -> None:
        """Nor what came later than the rows, in a fork that says no more."""
        assert unpack.traced({"trace": []}, b"") == Traced()

    @pytest.mark.parametrize(
        ("place", "value", "words"),
        [
            (0, "2", "expected an integer"),
            (0, True, "expected an integer"),
            (0, 1 << 63, "expected an integer"),
            (1, None, "expected a text"),
            (2, "guess", "no step of a trace"),
            (2, None, "no step of a trace"),
            (2, [], "no step of a trace"),
            (3, [2], "no step of a trace"),
            (3, [1 << 61], "no step of a trace"),
            (3, [0.0], "expected an integer"),
            (3, 0, "expected a list"),
            (3, [0] * 1001, "expected a list"),
            (4, ["3"], "expected an integer"),
            (5, None, "expected an integer"),
            (slice(6, 7), [], "expected 7 values"),
            (slice(7, 7), [0], "expected 7 values"),
        ],
    )
    def test_a_row_with_one_thing_wrong(self, place: int | slice, value: Any, words: str) -> None:
        """In the third of five rows that are right."""
        row = list(ROWS[2])
        row[place] = value
        with pytest.raises(FrameError, match=words):
            unpack.traced(*trace_reply(*ROWS[:2], row, *ROWS[3:]))

    @pytest.mark.parametrize("source", [-1, -9, -(1 << 61), 0, 1])
    def test_a_source_is_an_input_or_an_earlier_step(self, source: int) -> None:
        """Which input there is, is not known here: who reads them bears any number."""
        rows = [ROWS[0], ROWS[1], [3, "t", "argument", [source], [], 0, False]]
        assert unpack.traced(*trace_reply(*rows)).steps[2].sources == (source,)

    def test_tracks_is_true_or_false(self) -> None:
        """What is anything else is no yes."""
        rows: list[list[Any]] = [
            [1, "x", "call", [], [], 0, tracks] for tracks in (True, False, 1, "yes", None)
        ]
        steps = unpack.traced(*trace_reply(*rows)).steps
        assert [step.tracks for step in steps] == [True, False, False, False, False]

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            ({"trace": None}, "expected a list"),
            ({"returned": "4"}, "expected an integer"),
            ({"mutated": 1.5}, "expected an integer"),
            ({"lines": [1] * 1001}, "expected a list"),
            ({"lines": [None]}, "expected an integer"),
            ({"calls": [[0, 1]]}, "expected 3 values"),
            ({"calls": [[0, "1", []]]}, "expected an integer"),
            ({"calls": [[0, 1, [2]]]}, "expected a text"),
            ({"calls": {}}, "expected a list"),
            ({"renumbered": [[3]]}, "expected 2 values"),
            ({"renumbered": [["eps", 3]]}, "expected an integer"),
        ],
        ids=lambda each: next(iter(each)) if isinstance(each, dict) else "",
    )
    def test_a_field_with_one_thing_wrong(self, fields: dict[str, Any], words: str) -> None:
        """Beside rows that are right."""
        with pytest.raises(FrameError, match=words):
            unpack.traced(*trace_reply(*ROWS, **fields))

    @pytest.mark.parametrize(
        ("tensors", "words"),
        [
            ([torch.ones(2)] * 4, "malformed tensors"),
            ([torch.ones(2)] * 6, "malformed tensors"),
            ([], "malformed tensors"),
            ([*[torch.ones(2)] * 4, torch.ones(2) > 0], "never traced"),
        ],
        ids=["too few", "too many", "none", "a mask"],
    )
    def test_tensors_that_are_not_the_rows(self, tensors: list[Tensor], words: str) -> None:
        """One each, of a dtype that is recorded."""
        with pytest.raises(FrameError, match=words):
            unpack.traced(*trace_reply(*ROWS, tensors=tensors))

    def test_too_many_rows(self) -> None:
        """No trace is as long."""
        with pytest.raises(FrameError, match="too many tensors"):
            unpack.traced(*trace_reply(*[ROWS[0]] * 513))
