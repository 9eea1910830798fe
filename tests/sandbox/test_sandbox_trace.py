"""The trace: which tensors each line of a solution makes, as the parent hears of them."""

from __future__ import annotations

import textwrap

import pytest
import torch
from torch import Tensor

from grader.sandbox.client import Server
from grader.sandbox.messages import Call, Ended, Ready, Traced
from tests.sandbox.sandbox_runs import TIMEOUT_S, arguments, load, needs_linux, opened

pytestmark = needs_linux

X = torch.arange(6, dtype=torch.float32).reshape(2, 3)


def trace(
    server: Server, source: str, x: Tensor = X, *, timeout_s: float = TIMEOUT_S
) -> Traced | Ended:
    """What `f(x)` does, seen line by line; the first line of `source` is line 1."""
    with opened(server) as session:
        ready = load(session, textwrap.dedent(source).lstrip("\n"), ("x",))
        assert isinstance(ready, Ready), ready
        call = Call(arguments(x=x))
        return session.trace(call, keyword=ready.keyword, timeout_s=timeout_s)


def traced(server: Server, source: str, x: Tensor = X) -> Traced:
    found = trace(server, source, x)
    assert isinstance(found, Traced), found
    return found


def seen(found: Traced) -> list[tuple[int, str]]:
    return [(step.line, step.what) for step in found.steps]


def value(found: Traced, line: int, what: str) -> Tensor:
    """The last that this line made under this name."""
    return [s.value for s in found.steps if (s.line, s.what) == (line, what)][-1]


def test_calls_and_names(server: Server) -> None:
    """Each call's result, and what a line binds, in order."""
    found = traced(
        server,
        """
        def f(x):
            y = x.square().sum(-1)
            return y.sqrt()
        """,
    )
    assert seen(found) == [(2, "square"), (2, "sum"), (2, "y"), (3, "sqrt")]
    assert torch.equal(value(found, 2, "square"), X.square())
    assert torch.equal(value(found, 3, "sqrt"), X.square().sum(-1).sqrt())


def test_a_line_that_calls_nothing(server: Server) -> None:
    """A second name for a tensor is seen by the name."""
    found = traced(server, "def f(x):\n    sources = x\n    return sources")
    assert seen(found) == [(2, "sources")]
    assert torch.equal(value(found, 2, "sources"), X)


def test_a_name_is_told_again_only_when_it_is_bound_anew(server: Server) -> None:
    """Not at each line that follows."""
    found = traced(server, "def f(x):\n    y = x\n    z = 1\n    y = y + 1\n    return z")
    assert [step for step in seen(found) if step[1] == "y"] == [(2, "y"), (4, "y")]


def test_operators_and_functions_have_their_lines(server: Server) -> None:
    """In an expression over several lines, each its own."""
    found = traced(
        server,
        """
        import torch
        def f(x):
            return torch.cat([
                x * 2,
                x @ x.T,
            ], -1)
        """,
    )
    assert [(line, what) for line, what in seen(found) if what in ("mul", "matmul")] == [
        (4, "mul"),
        (5, "matmul"),
    ]
    assert value(found, 3, "cat").shape == (2, 5)


def test_a_helper_s_lines_are_its_own(server: Server) -> None:
    """The innermost line of the file, also below torch's own code."""
    found = traced(
        server,
        """
        import torch
        def norm(y):
            z = y - 1
            return torch.nn.functional.normalize(z, dim=-1)
        def f(x):
            return norm(x) + 1
        """,
    )
    assert (3, "z") in seen(found)
    assert {line for line, _ in seen(found)} == {3, 4, 6}
    assert found.returned == 6


def test_a_list_is_a_stack(server: Server) -> None:
    """As long as it is at each line, under its name."""
    found = traced(
        server,
        """
        def f(x):
            rows = []
            for row in x:
                rows.append(row * 2)
            return rows
        """,
    )
    stacks = [step.value for step in found.steps if step.what == "rows"]
    assert [tuple(stack.shape) for stack in stacks] == [(1, 3), (2, 3)]
    assert torch.equal(stacks[-1], X * 2)


def test_a_list_of_unlike_things_is_passed_over(server: Server) -> None:
    """It has no stack."""
    found = traced(server, "def f(x):\n    a = [x, x[0]]\n    b = (x, 1)\n    return a, b")
    assert {what for _, what in seen(found)} == {"__getitem__"}


def test_a_tensor_is_kept_as_it_was(server: Server) -> None:
    """What a later line does to it in place shows at that line."""
    found = traced(server, "def f(x):\n    y = x.clone()\n    y += 1\n    return y")
    assert torch.equal(value(found, 2, "clone"), X)
    assert torch.equal(value(found, 3, "add_"), X + 1)


def test_only_floating_tensors_are_told(server: Server) -> None:
    """Indices and masks are no stage."""
    found = traced(server, "def f(x):\n    i = x.argmax(0)\n    m = x > 1\n    return x[i], m")
    assert all(step.value.is_floating_point() for step in found.steps)
    assert not {"argmax", "i", "m", "gt"} & {what for _, what in seen(found)}


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16])
def test_dtypes_are_kept(server: Server, dtype: torch.dtype) -> None:
    """Where digits are lost can be seen."""
    found = traced(server, "def f(x):\n    y = x\n    return y.float()", X.to(dtype))
    assert [step.value.dtype for step in found.steps] == [dtype, torch.float32]


class TestBounds:
    def test_in_number(self, server: Server) -> None:
        """The first ones are kept."""
        found = traced(server, "def f(x):\n    for i in range(2000):\n        x + i\n    return x")
        assert len(found.steps) == 500

    def test_in_bytes(self, server: Server) -> None:
        """Large ones are left out, and small ones after them still seen; a megabyte in all."""
        found = traced(
            server,
            """
            import torch
            def f(x):
                large = torch.ones(1 << 19)
                for i in range(20):
                    middle = torch.ones(1 << 15) + i
                return x + 1
            """,
        )
        sizes = [step.value.numel() * 4 for step in found.steps]
        assert max(sizes) == 1 << 17
        assert sum(sizes) <= 1 << 20
        assert (3, "large") not in seen(found)

    def test_a_list_is_not_stacked_without_bound(self, server: Server) -> None:
        """A hundred items at most."""
        found = traced(server, "def f(x):\n    many = [x] * 101\n    few = [x] * 100")
        assert seen(found) == [(3, "few")]

    def test_in_lines(self, server: Server) -> None:
        """After twenty thousand, only calls are seen, and the call comes to its end."""
        found = traced(
            server,
            """
            def f(x):
                for i in range(30_000):
                    pass
                y = x
                return y + 1
            """,
        )
        assert seen(found) == [(5, "add")]

    def test_in_time(self, server: Server) -> None:
        """As every call."""
        found = trace(server, "def f(x):\n    while True: pass", timeout_s=0.3)
        assert isinstance(found, Ended)
        assert found.reason == "time"


class TestUnusualCode:
    def test_vmap(self, server: Server) -> None:
        """What a function over one row makes is told for all rows."""
        found = traced(
            server,
            """
            import torch
            def row(r):
                c = r - r.mean()
                return c * 2
            def f(x):
                return torch.vmap(row)(x)
            """,
        )
        assert torch.equal(value(found, 3, "c"), X - X.mean(-1, keepdim=True))
        assert found.returned == 6

    def test_gradients_inside(self, server: Server) -> None:
        """As `torch.func.grad` and autograd wrap tensors too."""
        found = traced(
            server,
            """
            import torch
            def f(x):
                g = torch.func.grad(lambda y: y.square().sum())(x)
                with torch.enable_grad():
                    z = x.clone().requires_grad_()
                    z.sum().backward()
                return g + z.grad
            """,
        )
        assert torch.equal(value(found, 7, "add"), 2 * X + 1)

    def test_a_scripted_function(self, server: Server) -> None:
        """Nothing of its inside can be read; its result can."""
        found = traced(
            server,
            """
            import torch, warnings
            warnings.simplefilter("ignore")
            @torch.jit.script
            def double(y: torch.Tensor) -> torch.Tensor:
                return y * 2
            def f(x):
                z = double(x)
                return z + 1
            """,
        )
        assert torch.equal(value(found, 7, "z"), 2 * X)
        assert torch.equal(value(found, 8, "add"), 2 * X + 1)

    def test_an_exception_in_the_middle(self, server: Server) -> None:
        """What was seen before it is kept."""
        found = traced(
            server, "def f(x):\n    y = x + 1\n    raise SystemExit('accepted')\n    z = x + 2"
        )
        assert seen(found) == [(2, "add"), (2, "y")]

    def test_a_tracer_of_its_own(self, server: Server) -> None:
        """Names are then no longer seen; calls are."""
        found = traced(
            server,
            "import sys\ndef f(x):\n    sys.settrace(None)\n    y = x + 1\n    return g(y)\n"
            "def g(y):\n    z = y * 2\n    return z",
        )
        assert (4, "add") in seen(found)
        assert (7, "mul") in seen(found)
        assert (7, "z") not in seen(found)

    def test_a_function_mode_of_its_own(self, server: Server) -> None:
        """It is called first, and what it calls is still seen."""
        found = traced(
            server,
            """
            import torch
            from torch.overrides import TorchFunctionMode
            class Mine(TorchFunctionMode):
                def __torch_function__(self, func, types, args=(), kwargs=None):
                    return func(*args, **(kwargs or {}))
            def f(x):
                with Mine():
                    y = x * 3
                return y
            """,
        )
        assert (8, "y") in seen(found)
        assert torch.equal(value(found, 5, "mul"), 3 * X)

    def test_a_function_mode_that_is_never_left(self, server: Server) -> None:
        """The trace is answered all the same."""
        found = traced(
            server,
            """
            from torch.overrides import TorchFunctionMode
            class Mine(TorchFunctionMode):
                def __torch_function__(self, func, types, args=(), kwargs=None):
                    return func(*args, **(kwargs or {}))
            def f(x):
                Mine().__enter__()
                y = x
                return y
            """,
        )
        assert (7, "y") in seen(found)

    def test_no_arguments_and_no_tensors(self, server: Server) -> None:
        """There may be nothing to see."""
        with opened(server) as session:
            load(session, "def f(): return 1")
            found = session.trace(Call(()), keyword=False, timeout_s=TIMEOUT_S)
        assert found == Traced((), 1, None)


class TestLines:
    @pytest.mark.parametrize(
        ("body", "line"),
        [
            ("y = x + 1\nx.add_(1)\nreturn y", 3),
            ("y = x.T\ny *= 2\nreturn y", 3),
            ("x[0] = 0\nx[0] = 1", 2),
            ("g(x)\nreturn x", 6),
            ("x.t_()\ny = x\nreturn y", 2),
            ("y = x.clone()\ny += 1\nreturn y", None),
            ("x = x + 1\nreturn x", None),
        ],
        ids=["method", "view", "slice", "helper", "shape", "copy", "name"],
    )
    def test_the_line_that_changes_an_input(
        self, server: Server, body: str, line: int | None
    ) -> None:
        """The first one; a new tensor under the same name is no change."""
        lines = textwrap.indent(body, "    ")
        padding = "\n" * (4 - len(body.splitlines()))
        source = f"def f(x):\n{lines}{padding}def g(t):\n    t.mul_(2)\n"
        assert traced(server, source, X + 1).mutated == line

    def test_nan_is_no_change(self, server: Server) -> None:
        """It equals nothing, itself neither."""
        assert traced(server, "def f(x):\n    y = x\n    return y", X / 0).mutated is None

    def test_the_line_that_returns(self, server: Server) -> None:
        """Of the entry, and of the several the one that did."""
        source = """
            def g(x):
                return x
            def f(x):
                if x.sum() < 0:
                    return x
                y = g(x)
                return y
            """
        assert traced(server, source, X).returned == 7
        assert traced(server, source, -X).returned == 5

    def test_an_entry_that_is_wrapped(self, server: Server) -> None:
        """The first frame of the file is the one that counts."""
        source = "import torch\n@torch.no_grad()\ndef f(x):\n    return x + 1"
        found = traced(server, source)
        assert (found.returned, seen(found)) == (4, [(4, "add")])


FIND = """
import gc, torch
def f(x):
    found = {type(o).__name__: o for o in gc.get_objects() if type(o).__name__ in NAMES}
    trace, recording = (found[name] for name in NAMES)
    steps, tensors = recording.steps, recording.tensors
    del found
    {}
    return x
NAMES = ("Trace", "Recording")
"""
EMPTIED = "steps.clear(); tensors.clear(); "
FORGED = {
    "line": "steps.append((10**30, 'x')); tensors.append(X)",
    "line that is no number": f"{EMPTIED}steps.append(('a', 'x')); tensors.append(X)",
    "more steps than tensors": "steps.extend([(1, 'x')] * 3)",
    "more tensors than steps": "tensors.extend([X] * 3)",
    "too many": "steps.extend([(1, 'x')] * 700); tensors.extend([X[:1]] * 700)",
    "integers": "steps.append((1, 'x')); tensors.append(torch.arange(3))",
    "complex": "steps.append((1, 'x')); tensors.append(torch.ones(1, dtype=torch.complex64))",
    "nested": "steps.append([[[[1]]]]); tensors.append(X)",
    "no tensors": "steps.append((1, 'x')); tensors.append('x')",
    "returned": "trace.note_return = lambda *_: None; trace.returned = 'x' * 5000",
    "infinite": "trace.note_return = lambda *_: None; trace.returned = float('inf')",
    "mutated": "trace.mutated = 1.5",
    "no list": "recording.steps = None",
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_trace_is_refused(server: Server, name: str) -> None:
    """Whatever has not the form of one; and with it the fork ends."""
    found = trace(server, FIND.replace("{}", FORGED[name].replace("X", "x.clone()")))
    assert isinstance(found, Ended), found
    assert found.reason == "malformed"


def test_forged_steps_that_look_right_are_taken(server: Server) -> None:
    """Whoever forges them misleads nobody but themselves: names are cut, lines are numbers."""
    nan = "torch.full((2,), float('nan'))"
    forged = f"made = {nan}; {EMPTIED}tensors.append(made); steps.append((-5, 'y' * 9000)); 1 / 0"
    source = FIND.replace("{}", forged)
    found = traced(server, source)
    assert (found.steps[0].line, len(found.steps[0].what)) == (-5, 4000)


def test_a_fork_that_dies_is_an_end(server: Server) -> None:
    """As in a call."""
    found = trace(server, "import os\ndef f(x):\n    os._exit(0)")
    assert isinstance(found, Ended)


def test_a_call_after_a_trace_is_as_before(server: Server) -> None:
    """The trace leaves nothing behind."""
    with opened(server) as session:
        load(session, "import sys\ndef f(x):\n    return str(sys.gettrace())", ("x",))
        call = Call(arguments(x=X))
        assert isinstance(session.trace(call, keyword=False, timeout_s=TIMEOUT_S), Traced)
        outcome, _ = session.call(call, keyword=False, timeout_s=TIMEOUT_S)
        assert "text='None'" in str(outcome)
