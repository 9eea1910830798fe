"""The channel between parent and fork: a frame is a JSON header and a body of raw bytes.

Both lengths come first and are checked before anything is read. A header may carry one file
descriptor. The parent decodes what an untrusted process wrote, so `parse_header` refuses all
that plain JSON of bounded depth is not.
"""

from __future__ import annotations

import json
import math
import os
import socket
import struct
import tempfile
from typing import Any, NoReturn

_LENGTHS = struct.Struct("<4sIQ")
_MAGIC = b"TGF1"
HEADER_BYTES = _LENGTHS.size
MAX_JSON = 4 << 20


class FrameError(Exception):
    """What arrived is not a frame, or is larger than allowed."""


def pack(header: dict[str, Any], body: bytes = b"") -> bytes:
    """The whole frame as bytes."""
    text = json.dumps(header, separators=(",", ":")).encode()
    return b"".join((_LENGTHS.pack(_MAGIC, len(text), len(body)), text, body))


def parse_lengths(prefix: bytes, max_body: int) -> tuple[int, int]:
    """Lengths of header and body, from the first HEADER_BYTES; FrameError when out of bounds."""
    magic, json_length, body_length = _LENGTHS.unpack(prefix)
    if magic != _MAGIC or json_length > MAX_JSON or body_length > max_body:
        raise FrameError("not a frame, or too large")
    return json_length, body_length


def parse_header(text: bytes) -> dict[str, Any]:
    """The header; FrameError for anything but an object of plain JSON."""
    try:
        header = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as bad:
        raise FrameError(f"malformed header: {type(bad).__name__}") from None
    if not isinstance(header, dict):
        raise FrameError("header is not an object")
    return header


def send(channel: socket.socket, header: dict[str, Any], body: bytes = b"", fd: int = -1) -> None:
    """Send one frame on a blocking socket, with a file descriptor when `fd` is not negative."""
    data = pack(header, body)
    sent = socket.send_fds(channel, [data], [fd]) if fd >= 0 else 0
    channel.sendall(memoryview(data)[sent:])


def receive(channel: socket.socket, max_body: int) -> tuple[dict[str, Any], bytes, int]:
    """Receive one frame from a trusted peer on a blocking socket: header, body, fd or -1.

    EOFError when the peer closed the channel.
    """
    prefix, fds, _, _ = socket.recv_fds(channel, HEADER_BYTES, 1)
    if not prefix:
        raise EOFError("the channel is closed")
    prefix += _read_exactly(channel, HEADER_BYTES - len(prefix))
    json_length, body_length = parse_lengths(prefix, max_body)
    header = parse_header(_read_exactly(channel, json_length))
    return header, _read_exactly(channel, body_length), fds[0] if fds else -1


def shared_file(data: bytes) -> int:
    """A descriptor of an unnamed file that holds `data`, sealed against resizing if possible."""
    if not hasattr(os, "memfd_create"):
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.flush()
            file.seek(0)
            return os.dup(file.fileno())
    fd = os.memfd_create("inputs", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with os.fdopen(os.dup(fd), "wb") as file:
        file.write(data)
        file.seek(0)
    _seal(fd)
    return fd


def _seal(fd: int) -> None:
    import fcntl

    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)


def _read_exactly(channel: socket.socket, count: int) -> bytes:
    parts = []
    while count:
        part = channel.recv(min(count, 1 << 20))
        if not part:
            raise EOFError("the channel is closed")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _finite(text: str) -> float:
    """1e999 is JSON, and Python's infinity."""
    value = float(text)
    return value if math.isfinite(value) else _refuse(text)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
