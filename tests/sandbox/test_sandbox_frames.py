"""Frames: what the parent takes from bytes that an untrusted process wrote."""

from __future__ import annotations

import json
import math
import os
import socket
import struct
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.sandbox import frames
from grader.sandbox.frames import FrameError, parse_header, parse_lengths

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)

HOSTILE_HEADERS = {
    "empty": b"",
    "nothing but white space": b"  \n",
    "a list": b"[]",
    "a number": b"1",
    "two objects": b"{}{}",
    "cut": b'{"id": 1',
    "nan": b'{"a": NaN}',
    "infinity": b'{"a": -Infinity}',
    "past the greatest float": b'{"a": 1e999}',
    "below the least float": b'{"a": [[-1e400]]}',
    "an integer of 5,000 digits": b'{"a": ' + b"9" * 5000 + b"}",
    "nested 100,000 deep": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "lists 1,000,000 deep": b'{"a":' + b"[" * 1_000_000,
    "not UTF-8": b'{"a": "\xff\xfe\xfd"}',
    "a lone quote": b'{"a": "',
    "single quotes": b"{'a': 1}",
    "a comment": b'{"a": 1} // ok',
    "a trailing comma": b'{"a": 1,}',
    "NUL inside a text": b'{"a": "\x00"}',
    "UTF-16 without its second half": '{"a": 1'.encode("utf-16"),
}


@pytest.mark.parametrize("text", HOSTILE_HEADERS.values(), ids=HOSTILE_HEADERS.keys())
def test_what_is_not_plain_json_is_refused(text: bytes) -> None:
    """One kind of error for all of it, and never a crash."""
    with pytest.raises(FrameError):
        parse_header(text)


@given(st.binary(max_size=200))
@example(b'{"a": 1e308}')
def test_any_bytes_give_a_header_or_a_frame_error(text: bytes) -> None:
    """Whatever arrives."""
    try:
        header = parse_header(text)
    except FrameError:
        return
    assert type(header) is dict


@given(st.dictionaries(st.text(max_size=8), JSON, max_size=5), st.data())
def test_a_spoiled_header_gives_a_header_or_a_frame_error(
    header: dict[str, Any], data: st.DataObject
) -> None:
    """Real JSON with a few bytes changed reaches deeper than noise does."""
    text = bytearray(json.dumps(header).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 2))] = data.draw(
            st.sampled_from([b"", b"[", b"}", b'"', b"\\", b"1e999", b"NaN", b"\x00", b"\xff"])
        )
    try:
        assert type(parse_header(bytes(text))) is dict
    except FrameError:
        return


def test_of_a_key_given_twice_the_last_counts() -> None:
    """There is one reader of a header, so there is no second opinion to exploit."""
    assert parse_header(b'{"a": 1, "a": 2}') == {"a": 2}


def test_floats_that_are_finite_are_read() -> None:
    """Requests hold Python numbers."""
    assert parse_header(b'{"a": 1e-6, "b": 1.7976931348623157e308, "c": 1e-400}') == {
        "a": 1e-6,
        "b": 1.7976931348623157e308,
        "c": 0.0,
    }


@given(st.binary(min_size=frames.HEADER_BYTES, max_size=frames.HEADER_BYTES), st.integers(0, 99))
def test_lengths_never_exceed_what_is_allowed(prefix: bytes, max_body: int) -> None:
    """They are checked before anything is read."""
    try:
        json_length, body_length = parse_lengths(prefix, max_body)
    except FrameError:
        return
    assert json_length <= frames.MAX_JSON
    assert body_length <= max_body


@pytest.mark.parametrize(
    ("magic", "json_length", "body_length"),
    [
        (b"TGF2", 2, 0),
        (b"\0\0\0\0", 2, 0),
        (b"TGF1", frames.MAX_JSON + 1, 0),
        (b"TGF1", 2**32 - 1, 0),
        (b"TGF1", 2, 101),
        (b"TGF1", 2, 2**64 - 1),
    ],
)
def test_lengths_out_of_bounds_are_refused(
    magic: bytes, json_length: int, body_length: int
) -> None:
    """Each bound by itself."""
    prefix = struct.pack("<4sIQ", magic, json_length, body_length)
    with pytest.raises(FrameError, match="not a frame, or too large"):
        parse_lengths(prefix, 100)


@given(st.dictionaries(st.text(max_size=8), JSON, max_size=5), st.binary(max_size=300))
def test_what_is_packed_is_parsed_again(header: dict[str, Any], body: bytes) -> None:
    """Header and body, as they were."""
    data = frames.pack(header, body)
    json_length, body_length = parse_lengths(data[: frames.HEADER_BYTES], len(body))
    middle = frames.HEADER_BYTES + json_length
    assert parse_header(data[frames.HEADER_BYTES : middle]) == header
    assert data[middle:] == body
    assert body_length == len(body)


def test_a_frame_crosses_a_socket_with_its_descriptor() -> None:
    """The file that the descriptor names is the sender's."""
    left, right = socket.socketpair()
    with left, right, os.fdopen(frames.shared_file(b"shared"), "rb") as file:
        frames.send(left, {"eps": 1e-6}, b"body", file.fileno())
        header, body, fd = frames.receive(right, 100)
        with os.fdopen(fd, "rb") as received:
            assert (header, body, received.read()) == ({"eps": 1e-6}, b"body", b"shared")


def test_a_closed_channel_is_the_end_of_the_file() -> None:
    """Before a frame and within one alike."""
    for sent in (b"", frames.pack({"a": 1})[:-1]):
        left, right = socket.socketpair()
        with right:
            left.sendall(sent)
            left.close()
            with pytest.raises(EOFError):
                frames.receive(right, 100)


def test_a_shared_file_keeps_its_size() -> None:
    """What the parent compares afterwards cannot be cut or grown."""
    fd = frames.shared_file(b"inputs")
    try:
        for size in (0, 100):
            with pytest.raises(PermissionError):
                os.ftruncate(fd, size)
        assert os.pread(fd, 100, 0) == b"inputs"
    finally:
        os.close(fd)


def test_infinity_is_not_sent_either() -> None:
    """A request is plain JSON too: what the parent would refuse it does not write unseen."""
    with pytest.raises(FrameError):
        parse_header(frames.pack({"a": math.inf})[frames.HEADER_BYTES :])
