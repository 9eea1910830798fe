"""Inside a fork: how a file is loaded and its entry called, and what a solution cannot hide."""

from __future__ import annotations

import pytest
import torch

from grader.sandbox.client import Server
from grader.sandbox.messages import (
    Answer,
    Call,
    DictValue,
    EntryProblem,
    OtherValue,
    Raised,
    Ready,
    TensorValue,
)
from tests.sandbox.sandbox_runs import arguments, load, needs_linux, opened, run

pytestmark = needs_linux

CLASS_WITH_CALL = "class K:\n    def __call__(self, x, eps=1): pass\nf = K()"
PARTIAL = "import functools\ndef g(a, x, eps=0): pass\nf = functools.partial(g, 1)"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def g(): pass", EntryProblem("missing", "", (("g", 1),))),
        ("import os\nx = 1\nclass K: pass", EntryProblem("missing", "", (("K", 0),))),
        ("f = 3", EntryProblem("not_callable", "int")),
        ("f = None", EntryProblem("not_callable", "NoneType")),
        ("class f: pass", EntryProblem("class")),
        ("async def f(x): pass", EntryProblem("async")),
        ("async def f(x):\n    yield", EntryProblem("async")),
        ("def f(x): yield", EntryProblem("generator")),
        ("def f(): pass", EntryProblem("signature", "()")),
        ("def f(x): pass", EntryProblem("signature", "(x)")),
        ("def f(x, y): pass", EntryProblem("signature", "(x, y)")),
        ("def f(eps, x): pass", EntryProblem("signature", "(eps, x)")),
        ("def f(x, eps, *, more): pass", EntryProblem("signature", "(x, eps, *, more)")),
        ("def f(x, eps=1): pass", Ready(keyword=False)),
        ("def f(x, epsilon=1): pass", Ready(keyword=False)),
        ("def f(*a): pass", Ready(keyword=False)),
        ("def f(*, x, eps=1): pass", Ready(keyword=True)),
        ("def f(**k): pass", Ready(keyword=True)),
        ("f = lambda x, eps=1: x", Ready(keyword=False)),
        ("f = max", Ready(keyword=False)),
        (PARTIAL, Ready(keyword=False)),
        (CLASS_WITH_CALL, Ready(keyword=False)),
    ],
)
def test_an_entry_is_examined(server: Server, source: str, expected: object) -> None:
    """It will be called as `f(x)` and as `f(x, eps)`, or what is in the way is named."""
    with opened(server) as session:
        assert load(session, source, ("x",), optional=("eps",)) == expected


def test_arguments_arrive_by_position_or_by_keyword(server: Server) -> None:
    """As the entry wants them."""
    for parameters in ("x, eps", "*, x, eps", "**k"):
        body = "k['x'] * k['eps']" if parameters == "**k" else "x * eps"
        done = run(
            server,
            f"def f({parameters}): return {body}",
            Call(arguments(x=torch.tensor([1.0, 2.0]), eps=0.5)),
        )
        assert done.tensor.tolist() == [0.5, 1.0]


@pytest.mark.parametrize(
    "tensor",
    [
        torch.arange(6.0).view(2, 3).T,
        torch.arange(12.0)[3::2],
        torch.arange(3.0).expand(4, 3),
        torch.ones(0, 3),
        torch.tensor(2.5, dtype=torch.float64),
        torch.arange(4, dtype=torch.bfloat16),
        torch.arange(4),
    ],
    ids=["transposed", "strided", "expanded", "empty", "scalar", "bfloat16", "int64"],
)
def test_inputs_arrive_as_they_were_laid_out(server: Server, tensor: torch.Tensor) -> None:
    """Values, dtype and strides."""
    source = "def f(x): return {'x': x.clone(), 'stride': x.stride(), 'type': type(x).__name__}"
    answer = run(server, source, Call(arguments(x=tensor))).answer
    assert isinstance(answer.value, DictValue)
    received = answer.value.get("x")
    assert isinstance(received, TensorValue)
    assert received.data is not None
    assert torch.equal(received.data, tensor)
    assert received.data.dtype == tensor.dtype
    stride = answer.value.get("stride")
    assert [item.text for item in getattr(stride, "items", ())] == [str(s) for s in tensor.stride()]
    assert answer.mutated == ()


MUTATIONS = {
    "in place": "x.add_(1)",
    "by index": "x[0] = 9.0",
    "through a view": "x.view(-1)[1:].zero_()",
    "through numpy": "x.numpy()[0] = 9",
    "through data": "x.data.zero_()",
    "in the gaps": "torch.as_strided(x, (1,), (1,), 3).fill_(7)",
    "by ctypes": "ctypes.memset(x.data_ptr(), 1, 4)",
}
HIDING = """
import ctypes, torch, hashlib
torch.Tensor.clone = torch.Tensor.detach = lambda self, *a, **k: self
torch.equal = torch.allclose = torch.Tensor.equal = lambda *a, **k: True
hashlib.sha256 = lambda *a, **k: None
def f(x, y):
    %s
    return y * 1
"""


@pytest.mark.parametrize("act", MUTATIONS.values(), ids=MUTATIONS.keys())
def test_a_changed_input_is_seen_whatever_is_patched(server: Server, act: str) -> None:
    """The parent compares the bytes itself; the other input is not accused."""
    inputs = arguments(x=torch.tensor([1.0, 2.0, 3.0, 4.0])[::2], y=torch.ones(3))
    assert run(server, HIDING % act, Call(inputs)).answer.mutated == ("x",)


def test_replacing_a_name_is_no_mutation(server: Server) -> None:
    """Nor is writing to a copy."""
    source = "def f(x):\n    x = x.clone()\n    x += 1\n    return x"
    assert run(server, source, Call(arguments(x=torch.ones(2)))).answer.mutated == ()


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        ("raise SystemExit('accepted')", "SystemExit"),
        ("import sys; sys.exit(0)", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("raise StopIteration(42)", "StopIteration"),
        ("raise BaseException('all')", "BaseException"),
        ("raise MemoryError", "MemoryError"),
        ("raise EOFError", "EOFError"),
        ("raise ExceptionGroup('g', [ValueError()])", "ExceptionGroup"),
        ("assert False", "AssertionError"),
        ("raise 3", "TypeError"),
        ("exec('1 +')", "SyntaxError"),
        ("f()", "RecursionError"),
    ],
)
@pytest.mark.parametrize("phase", ["import", "call"])
def test_any_exception_is_the_solutions(server: Server, phase: str, act: str, kind: str) -> None:
    """At import and in the call, none ends the fork or passes for an answer."""
    source = f"def f():\n    {act}\n" + ("f()\n" if phase == "import" else "")
    raised = run(server, source).raised
    assert (raised.type, raised.phase) == (kind, phase)
    assert raised.lines[-1][0] in (1, 2)


def test_an_exception_leaves_the_fork_usable(server: Server) -> None:
    """The next call is answered."""
    source = "calls = []\ndef f():\n    calls.append(1)\n    return 1 / (len(calls) - 1)"
    with opened(server) as session:
        assert isinstance(load(session, source), Ready)
        first, _ = session.call(Call(()), keyword=False, timeout_s=5)
        second, _ = session.call(Call(()), keyword=False, timeout_s=5)
    assert isinstance(first, Raised)
    assert isinstance(second, Answer)


HOSTILE_TEXTS = {
    "raises": "raise ValueError",
    "exits": "raise SystemExit",
    "exits at once": "import os; os._exit(0)",
    "is huge": "return 'x' * (300 << 20)",
    "loops": "\n        while True: pass",
}


@pytest.mark.parametrize("act", HOSTILE_TEXTS.values(), ids=HOSTILE_TEXTS.keys())
def test_an_exception_whose_text_is_hostile_does_not_pass(server: Server, act: str) -> None:
    """The limits hold while it is asked for."""
    source = f"class E(Exception):\n    def __str__(self): {act}\ndef f(): raise E"
    done = run(server, source, timeout_s=1.0)
    if isinstance(done.outcome, Raised):
        assert len(done.outcome.message) <= 2000
    else:
        assert done.ended.reason in ("died", "time", "memory")


def test_a_syntax_error_says_where(server: Server) -> None:
    """Line and column of the file."""
    raised = run(server, "x = 1\ndef f(:\n    pass\n").raised
    assert (raised.type, raised.lines, raised.column) == ("SyntaxError", ((2, "<module>"),), 7)


ODD_SOURCES = {
    "empty": (b"", EntryProblem("missing")),
    "a byte order mark": (b"\xef\xbb\xbfdef f(): return 1\r\n", Ready(keyword=False)),
    "CRLF": (b"def f():\r\n    return 1\r\n", Ready(keyword=False)),
    "a coding cookie": (b"# coding: latin-1\nx = '\xe9'\ndef f(): pass", Ready(keyword=False)),
    "not UTF-8": (b"x = '\xe9'\ndef f(): pass", "SyntaxError"),
    "NUL": (b"def f(): pass\n\0", "SyntaxError ValueError"),  # which one, Python changed in 3.11.4
    "an unknown coding": (b"# coding: nope\ndef f(): pass", "SyntaxError"),
    "100,000 parentheses": (b"(" * 100_000, "SyntaxError"),
    "deep expression": (b"x = " + b"-" * 100_000 + b"1", "MemoryError RecursionError"),
}


@pytest.mark.parametrize(("source", "expected"), ODD_SOURCES.values(), ids=ODD_SOURCES.keys())
def test_odd_files_are_loaded_or_refused(server: Server, source: bytes, expected: object) -> None:
    """By Python itself, inside."""
    with opened(server) as session:
        outcome = load(session, source)
    if isinstance(expected, str):
        assert isinstance(outcome, Raised)
        assert outcome.type in expected.split()
    else:
        assert outcome == expected


def test_each_file_has_a_process_of_its_own(server: Server) -> None:
    """What one left in torch or in modules is not there for the next."""
    spoil = "import torch, math\ntorch.ones = math.pi = None\ndef f(): return 1"
    assert run(server, spoil).text == "1"
    look = "import torch, math\ndef f(): return f'{torch.ones(1).item()} {math.pi > 3}'"
    assert run(server, look).text == "1.0 True"


def test_global_state_is_put_back_before_each_call(server: Server) -> None:
    """Default dtype, gradients, threads, random numbers."""
    source = """
        import torch
        def f():
            told = f"{torch.get_default_dtype()} {torch.is_grad_enabled()} "
            told += f"{torch.get_num_threads()} {torch.rand(1).item():.6f}"
            torch.set_default_dtype(torch.float64)
            torch.set_grad_enabled(False)
            torch.set_default_device("meta")
            return told
    """
    with opened(server) as session:
        assert isinstance(load(session, source), Ready)
        told = []
        for _ in range(2):
            outcome, _ = session.call(Call((), chance=5), keyword=False, timeout_s=10)
            assert isinstance(outcome, Answer)
            told.append(getattr(outcome.value, "text", ""))
    assert told[0] == told[1]
    assert told[0].startswith("torch.float32 True 1 ")


def test_gradients_are_those_of_the_weighted_outputs(server: Server) -> None:
    """By input; None for one that has no part."""
    source = "def f(x, y, z): return {'a': x * x, 'b': x * y, 'c': z.detach()}"
    weights = {"a": torch.ones(2), "b": torch.tensor([1.0, 10.0]), "c": torch.ones(2)}
    call = Call(
        arguments(x=torch.tensor([2.0, 3.0]), y=torch.tensor([5.0, 7.0]), z=torch.ones(2)),
        gradients=("x", "y", "z"),
        cotangents=weights,
    )
    answer = run(server, source, call).answer
    assert answer.gradients is not None
    assert {k: None if v is None else v.tolist() for k, v in answer.gradients.items()} == {
        "x": [2 * 2 + 5, 2 * 3 + 70],
        "y": [2.0, 30.0],
        "z": None,
    }
    assert answer.mutated == ()


def test_outputs_without_a_graph_have_no_gradients(server: Server) -> None:
    """Detached, of another shape, or not there."""
    for result in ("{'a': x.detach()}", "{'a': x.sum()}", "{}", "None"):
        call = Call(arguments(x=torch.ones(2)), "cpu", ("x",), {"a": torch.ones(2)})
        assert run(server, f"def f(x): return {result}", call).answer.gradients == {"x": None}


def test_an_error_in_the_backward_pass_is_told_apart(server: Server) -> None:
    """The outputs are there all the same."""
    source = """
        import torch
        class F(torch.autograd.Function):
            @staticmethod
            def forward(context, x): return x * 2
            @staticmethod
            def backward(context, grad): raise ValueError("no way back")
        def f(x): return F.apply(x)
    """
    call = Call(arguments(x=torch.ones(2)), "cpu", ("x",), {"": torch.ones(2)})
    done = run(server, source, call)
    assert done.tensor.tolist() == [2.0, 2.0]
    assert done.answer.backward is not None
    assert (done.answer.backward.type, done.answer.backward.phase) == ("ValueError", "backward")
    assert done.answer.backward.lines[-1] == (7, "backward")


def test_an_input_that_wants_gradients_cannot_be_changed_unseen(server: Server) -> None:
    """In-place on a leaf is torch's error; past torch it is a mutation."""
    call = Call(arguments(x=torch.ones(2)), "cpu", ("x",), {"": torch.ones(2)})
    raised = run(server, "def f(x): return x.add_(1)", call).raised
    assert "leaf" in raised.message
    done = run(server, "def f(x):\n    x.data.add_(1)\n    return x * 2", call)
    assert done.answer.mutated == ("x",)


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        ("x.numpy()", "numpy.ndarray"),
        ("torch.nn.Parameter(x)", "torch.nn.parameter.Parameter"),
        ("(i for i in [x])", "generator"),
        ("f", "function"),
        ("L()", "L"),
    ],
)
def test_a_result_that_is_no_value_is_named(server: Server, result: str, kind: str) -> None:
    """By what it is."""
    source = f"import torch\nclass L(torch.Tensor): pass\ndef f(x): return {result}"
    source = source.replace("L()", "x.as_subclass(L)")
    value = run(server, source, Call(arguments(x=torch.ones(2)))).answer.value
    assert isinstance(value, OtherValue)
    assert value.type == kind


def test_a_result_that_requires_grad_is_returned(server: Server) -> None:
    """So are views and conjugates."""
    source = "def f(x):\n    x.requires_grad_()\n    return (x * 2)[::2].T"
    assert run(server, source, Call(arguments(x=torch.ones(4)))).tensor.tolist() == [2.0, 2.0]


def test_a_shrunken_result_holds_nothing_of_our_memory(server: Server) -> None:
    """It says so, and no byte past its end is read."""
    source = "def f(x):\n    y = x * 1\n    y.untyped_storage().resize_(4)\n    return y"
    value = run(server, source, Call(arguments(x=torch.ones(1000)))).answer.value
    assert isinstance(value, TensorValue)
    assert (value.data, value.defect) == (None, "has a storage smaller than its shape")


def test_a_result_too_large_is_not_sent(server: Server) -> None:
    """3 GB by expansion."""
    source = "import torch\ndef f(): return torch.ones(1).expand(800_000_000)"
    value = run(server, source).answer.value
    assert isinstance(value, TensorValue)
    assert value.data is None
    assert "more than can be returned" in value.defect


def test_printing_works_in_any_alphabet(server: Server) -> None:
    """Lone surrogates are escaped, and bytes that are no text replaced."""
    source = "import os\ndef f():\n    print('é→\\ud800')\n    os.write(1, b'\\xff\\n')"
    assert run(server, source).output.text == "é→\\ud800\n�\n"


def test_a_file_can_have_any_name(server: Server) -> None:
    """It is loaded by path, under a private module name."""
    source = "import sys\nprint(__name__)\ndef f(): raise ValueError"
    for name in ("lösung.py", "torch.py", "with space.py", "2nd-try.py", "sys.path.py"):
        with opened(server) as session:
            assert isinstance(load(session, source, name=name), Ready)
            assert session.output.text == "solution\n"
            outcome, _ = session.call(Call(()), keyword=False, timeout_s=5)
            assert isinstance(outcome, Raised)
            assert outcome.lines == ((3, "f"),)


def test_nothing_of_the_solution_is_on_the_path(server: Server) -> None:
    """Its folder holds the one file and is not searched for modules."""
    source = """
        import os, sys
        folder = os.path.dirname(__file__)
        def f(): return f"{folder in sys.path} {'' in sys.path} {os.listdir(folder)}"
    """
    assert run(server, source).text == "False False ['solution.py']"
