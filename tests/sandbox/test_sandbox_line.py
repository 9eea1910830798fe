"""Limits and ends: every way a fork can fail to answer is told apart, and none is waited for."""

from __future__ import annotations

import pytest
import torch

from grader.sandbox.client import Server
from grader.sandbox.messages import Call, Ended, Ready
from tests.sandbox.sandbox_runs import load, needs_linux, opened, run

pytestmark = needs_linux

SWALLOWS = """
    def f():
        while True:
            try:
                while True: pass
            except BaseException: pass
"""
SHORT_S = 0.3


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    while True: pass",
        SWALLOWS,
        "import time\ndef f(): time.sleep(60)",
        "def f(): sum(range(10**12))",
        "import signal\ndef f():\n    signal.pthread_sigmask(0, range(1, 65))\n    signal.pause()",
        "import torch\ndef f():\n    while True: torch.ones(10).sum()",
    ],
    ids=["loop", "swallows everything", "sleeps", "in C", "blocks signals", "in torch"],
)
def test_a_call_out_of_time_is_killed(server: Server, source: str) -> None:
    """From outside, whatever it does, and soon."""
    done = run(server, source, timeout_s=SHORT_S)
    assert done.ended == Ended("time", "no answer within 0.3 s")
    assert done.wall_s < 5


def test_an_import_out_of_time_is_killed(server: Server) -> None:
    """It has a budget of its own."""
    with opened(server) as session:
        assert load(session, "while True: pass", timeout_s=SHORT_S) == Ended(
            "time", "no answer within 0.3 s"
        )


@pytest.mark.parametrize(
    "source",
    [
        "class D:\n    def __del__(self):\n        while True: pass\ndef f(): return D()",
        "class E(Exception):\n    def __str__(self):\n        while True: pass\ndef f(): raise E",
        "class S:\n    @property\n    def shape(s):\n        while True: pass\ndef f(): return S()",
    ],
    ids=["deleting the result", "an exception's text", "looking at the result"],
)
def test_what_runs_after_the_call_counts_as_the_call(server: Server, source: str) -> None:
    """A solution's code is run again when its answer is read."""
    assert run(server, source, timeout_s=SHORT_S).ended.reason == "time"


def test_processor_time_is_limited_too(server: Server) -> None:
    """Threads use it up faster than the clock runs."""
    done = run(server, SWALLOWS, cpu_s=1)
    assert done.ended == Ended("time", "it used up its processor time")


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    while True: print('x' * 1000)",
        "import os\ndef f():\n    while True: os.write(2, b'x' * 1000)",
        "def f():\n    while True: print('x', end='')",
        "def f(): print('x' * 10**7)",
    ],
    ids=["lines", "stderr", "one line", "at once"],
)
def test_printing_too_much_ends_it(server: Server, source: str) -> None:
    """What was printed before is kept, cut at the limit."""
    done = run(server, source, output_kb=16)
    assert done.ended == Ended("output", "it printed more than 16 KB")
    assert done.output.cut
    assert len(done.output.text) == 16 << 10


def test_printing_up_to_the_limit_is_fine(server: Server) -> None:
    """Both streams together, and not a byte is lost."""
    source = "import sys\ndef f():\n    print('x' * 8191)\n    print('y' * 8191, file=sys.stderr)"
    done = run(server, source, output_kb=16)
    assert done.text == "None"
    assert not done.output.cut
    assert sorted(done.output.text.split()) == ["x" * 8191, "y" * 8191]


def test_each_step_has_its_own_output(server: Server) -> None:
    """What the import printed is not the call's."""
    with opened(server) as session:
        ready = load(session, "print('import')\ndef f(): print('call')")
        assert isinstance(ready, Ready)
        assert session.output.text == "import\n"
        for _ in range(2):
            session.call(Call(()), keyword=False, timeout_s=5)
            assert session.output.text == "call\n"


HOARDS = {
    "bytes": "def f():\n    a = []\n    while True: a.append(bytearray(b'x') * (16 << 20))",
    "tensors": (
        "import torch\ndef f():\n    a = []\n    while True: a.append(torch.ones(4 << 20))"
    ),
    "at once": "import torch\ndef f(): return torch.ones(1 << 30).sum()",
    "swallows": (
        "a = []\ndef f():\n    while True:\n        try: a.append(bytearray(b'x') * (16 << 20))\n"
        "        except BaseException: pass"
    ),
}


@pytest.mark.parametrize("source", HOARDS.values(), ids=HOARDS.keys())
@pytest.mark.parametrize("kind", ["server", "server_watching"])
def test_using_too_much_memory_ends_it(
    kind: str, source: str, request: pytest.FixtureRequest
) -> None:
    """By a group where one can be made, else by being watched."""
    done = run(request.getfixturevalue(kind), source, memory_mb=700)
    assert done.ended == Ended("memory", "it used more than 700 MB of memory")


def test_importing_can_use_too_much_memory(server: Server) -> None:
    """The verdict is about memory, not about the import."""
    source = "a = []\nwhile True: a.append(bytearray(b'x') * (16 << 20))"
    assert run(server, source, memory_mb=700).ended.reason == "memory"


def test_memory_that_is_never_touched_is_an_exception(server: Server) -> None:
    """Torch says so itself, and the fork lives on."""
    done = run(server, "import torch\ndef f(): return torch.empty(10**15)", memory_mb=700)
    assert done.raised.type == "RuntimeError"


DEATHS = {
    "os._exit(0)": "it ended its process (exit code 0)",
    "os._exit(7)": "it ended its process (exit code 7)",
    "os.kill(os.getpid(), 9)": "it sent a fatal signal to its own process",
    "os.kill(os.getpid(), 15)": "it sent a fatal signal to its own process",
    "signal.raise_signal(11)": "it sent a fatal signal to its own process",
    "os.abort()": "it sent a fatal signal to its own process",
    "ctypes.string_at(0)": "its process crashed (segmentation fault, SIGSEGV)",
    "ctypes.CFUNCTYPE(None)(8)()": "its process crashed (segmentation fault, SIGSEGV)",
    "threading.Thread(target=os._exit, args=(3,)).start() or time.sleep(60)": (
        "it ended its process (exit code 3)"
    ),
}


@pytest.mark.parametrize(("act", "words"), DEATHS.items(), ids=DEATHS.keys())
def test_a_death_is_told_in_words(server: Server, act: str, words: str) -> None:
    """An early exit is never an answer, whatever its code."""
    imports = "import ctypes, os, signal, threading, time\n"
    assert run(server, f"{imports}def f(): {act}").ended == Ended("died", words)


def test_a_stack_that_overflows_in_c_is_a_crash(server: Server) -> None:
    """With Python's own limit out of the way."""
    source = (
        "import sys\nsys.setrecursionlimit(10**9)\n"
        "class A:\n    def __getattr__(self, name): return getattr(self, name + 'x')\n"
        "def f(): A().x"
    )
    done = run(server, source, memory_mb=4096)
    assert done.ended.reason in ("died", "memory")


def test_asking_for_input_fails_at_once(server: Server) -> None:
    """There is no keyboard."""
    for ask in ("input('?')", "sys.stdin.read() or input()"):
        done = run(server, f"import sys\ndef f(): {ask}")
        assert done.raised.type == "EOFError"
        assert done.wall_s < 5


CHANNEL = {
    "garbage": "os.write(3, b'x' * 100)",
    "an empty frame": "os.write(3, struct.pack('<4sIQ', b'TGF1', 0, 0))",
    "a frame of nonsense": "os.write(3, struct.pack('<4sIQ', b'TGF1', 9, 0) + b'{\"id\": ??}')",
    "a frame that is a list": "os.write(3, struct.pack('<4sIQ', b'TGF1', 2, 0) + b'[]')",
    "another number": "send(id=77, value=PASS)",
    "no number": "send(value=PASS)",
    "an old number": "send(id=1, value=PASS)",
    "two frames": "os.write(3, frame(id=2, value=PASS) + frame(id=2, value=PASS))",
    "a length beyond all": "os.write(3, struct.pack('<4sIQ', b'TGF1', 2, 2**60) + b'{}')",
    "not a value": "send(id=2, value=3)",
    "deep nesting": "os.write(3, struct.pack('<4sIQ', b'TGF1', 10**5, 0) + b'[' * 10**5)",
    "a tensor that is not there": "send(id=2, value=dict(t='tensor', at=0, device='cpu'))",
}
FORGER = """
import json, os, struct, time
PASS = {"t": "plain", "type": "int", "text": "42"}
def frame(**fields):
    text = json.dumps(fields).encode()
    return struct.pack("<4sIQ", b"TGF1", len(text), 0) + text
def send(**fields):
    os.write(3, frame(**fields))
def f():
    %s
    time.sleep(60)
"""


@pytest.mark.parametrize("act", CHANNEL.values(), ids=CHANNEL.keys())
def test_nonsense_in_the_channel_ends_it(server: Server, act: str) -> None:
    """At once, not at the time limit, and it is no answer."""
    done = run(server, FORGER % act, timeout_s=8)
    assert done.ended.reason == "malformed"
    assert done.wall_s < 6


def test_a_forged_answer_is_only_a_claim(server: Server) -> None:
    """The channel is the solution's own: what it writes there is what it returned."""
    done = run(server, FORGER % "send(id=2, value=PASS)")
    assert done.text == "42"


def test_bytes_before_a_request_end_it(server: Server) -> None:
    """An answer prepared while nothing was asked."""
    source = FORGER.replace("def f():\n    %s", "send(id=2, value=PASS)\ndef f():\n    pass")
    done = run(server, source)
    assert done.ended.reason == "malformed"


def test_an_answer_that_comes_in_drops_is_awaited_no_longer(server: Server) -> None:
    """A byte now and then does not stop the clock."""
    act = "[(os.write(3, b[:1]), time.sleep(.02)) for b in [frame(id=2)] * 10**6]"
    done = run(server, FORGER % act, timeout_s=SHORT_S)
    assert done.ended.reason in ("time", "malformed")
    assert done.wall_s < 5


def test_closing_all_descriptors_ends_it(server: Server) -> None:
    """The channel among them."""
    done = run(server, "import os, time\ndef f():\n    os.closerange(0, 300)\n    time.sleep(60)")
    assert done.ended == Ended("lost", "it closed its channel to the grader")
    assert done.wall_s < 5


def test_closing_the_streams_does_no_harm(server: Server) -> None:
    """Nobody has to print."""
    source = "import os, sys\ndef f():\n    sys.stdout.close()\n    os.close(2)\n    return 1"
    assert run(server, source).text == "1"


def test_using_up_all_descriptors_does_no_harm(server: Server) -> None:
    """What answering needs was loaded before."""
    source = """
        import os, torch
        def f():
            try:
                while True: os.dup(0)
            except OSError: pass
            return torch.ones(2)
    """
    assert torch.equal(run(server, source).tensor, torch.ones(2))


def test_after_the_end_every_request_gives_the_same_end(server: Server) -> None:
    """There is no fork to ask any more."""
    with opened(server) as session:
        assert isinstance(load(session, "import os\ndef f(): os._exit(1)"), Ready)
        first, _ = session.call(Call(()), keyword=False, timeout_s=5)
        second, _ = session.call(Call(()), keyword=False, timeout_s=5)
        assert first is second


def test_a_flood_on_the_channel_is_bounded(server: Server) -> None:
    """An endless body is cut where the largest answer would end."""
    act = "os.write(3, struct.pack('<4sIQ', b'TGF1', 2, 1 << 26) + b'{}')\n    "
    act += "while True: os.write(3, b'x' * (1 << 20))"
    done = run(server, FORGER % act, timeout_s=10)
    assert done.ended.reason == "malformed"
