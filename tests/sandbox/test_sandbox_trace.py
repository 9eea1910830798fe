"""The trace: which tensors each line of a solution makes, as the parent hears of them."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
import torch
from torch import Tensor

from grader.sandbox.client import Server
from grader.sandbox.messages import Call, Ended, FunctionCall, Ready, Traced, TraceStep
from tests.sandbox.sandbox_runs import TIMEOUT_S, arguments, load, needs_linux, opened

pytestmark = needs_linux

X = torch.arange(6, dtype=torch.float32).reshape(2, 3)


def trace(
    server: Server,
    source: str,
    x: Tensor = X,
    *,
    timeout_s: float = TIMEOUT_S,
    gradients: tuple[str, ...] = (),
    **numbers: float,
) -> Traced | Ended:
    """What `f(x, ...)` does, seen line by line; the first line of `source` is line 1."""
    call = Call(arguments(x=x, **numbers), gradients=gradients)
    with opened(server) as session:
        ready = load(session, textwrap.dedent(source).lstrip("\n"), ("x", *numbers))
        assert isinstance(ready, Ready), ready
        return session.trace(call, keyword=ready.keyword, timeout_s=timeout_s)


def traced(server: Server, source: str, x: Tensor = X, **options: Any) -> Traced:
    found = trace(server, source, x, **options)
    assert isinstance(found, Traced), found
    return found


def seen(found: Traced) -> list[tuple[int, str]]:
    """Lines, and what they call or bind; what is given to functions or returned has its tests."""
    return [(s.line, s.what) for s in found.steps if s.kind in ("call", "name")]


def last(found: Traced, what: str) -> TraceStep:
    """The last step of this call, name or key."""
    return [step for step in found.steps if step.what == what][-1]


def origins(found: Traced, step: TraceStep) -> list[str]:
    """What a step was made from: `line what` of each step, `input n` of each input."""
    steps = found.steps
    return [
        f"input {-1 - number}" if number < 0 else f"{steps[number].line} {steps[number].what}"
        for number in step.sources
    ]


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


def test_indices_are_told_and_masks_are_not(server: Server) -> None:
    """A choice is a step of a computation, its result an integer; yes or no is none."""
    found = traced(server, "def f(x):\n    i = x.argmax(0)\n    m = x > 1\n    return x[i], m")
    assert seen(found) == [(2, "argmax"), (2, "i"), (4, "__getitem__")]
    assert torch.equal(value(found, 2, "i"), X.argmax(0))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16])
def test_dtypes_are_kept(server: Server, dtype: torch.dtype) -> None:
    """Where digits are lost can be seen."""
    found = traced(server, "def f(x):\n    y = x\n    return y.float()", X.to(dtype))
    assert [step.value.dtype for step in found.steps] == [dtype, torch.float32, torch.float32]


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
        assert found == Traced(returned=1, lines=(1,), calls=(FunctionCall(0),))


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


class TestSources:
    """Each step says which earlier ones it was made from."""

    @pytest.mark.parametrize(
        ("body", "what", "expected"),
        [
            ("y = x.square()\nz = y + x", "add", ["2 square", "input 0"]),
            ("y = x + 1\nz = y", "z", ["2 add"]),
            ("y = x", "y", ["input 0"]),
            ("a, b = x + 1, x + 2\nz = torch.stack([a, b])", "stack", ["2 add", "2 add"]),
            ("a, b = x + 1, x * 2\nz = [a, b]", "z", ["2 add", "2 mul"]),
            ("y = x + 1\nz = torch.stack([w for w in y])", "stack", ["3 unbind"]),
            ("y = x + 1\nz = torch.where(x > 0, x, other=y)", "where", ["input 0", "2 add"]),
            ("y = torch.ones_like(x)", "ones_like", []),
            ("y = x.new_zeros(2)", "new_zeros", []),
            ("y = torch.ones(2)", "ones", []),
            ("y = x + 1\nz = y.T", "T", ["2 add"]),
            ("y = x + 1\ny[0] = x[1]", "__setitem__", ["2 add", "3 __getitem__"]),
        ],
        ids=[
            "two tensors", "a name of a result", "a name of an input", "a list", "a name of a list",
            "pieces", "keywords", "only a shape is taken", "only a dtype is taken", "nothing",
            "an attribute", "in place",
        ],
    )  # fmt: skip
    def test_what_a_step_was_made_from(
        self, server: Server, body: str, what: str, expected: list[str]
    ) -> None:
        """A call from its arguments, a name from what it is a name of, nothing twice."""
        lines = textwrap.indent(body, "    ")
        found = traced(server, f"def f(x):\n{lines}\nimport torch")
        assert origins(found, last(found, what)) == expected

    def test_a_change_through_a_view_changes_what_it_views(self, server: Server) -> None:
        """The whole buffer is told as it is then, and what is made of it comes from there."""
        found = traced(
            server,
            """
            def f(x):
                y = x.clone()
                y[0].mul_(2)
                return y + 1
            """,
        )
        whole = [step for step in found.steps if step.what == "mul_"][-1]
        assert torch.equal(whole.value, torch.stack([X[0] * 2, X[1]]))
        assert origins(found, whole) == ["2 clone", "3 mul_"]
        assert origins(found, last(found, "add")) == ["3 mul_"]

    @pytest.mark.parametrize(
        "out_and_back",
        [
            "y = torch.from_numpy(z.numpy() * 2)",
            "y = torch.tensor([[v * 2 for v in row] for row in z.tolist()])",
            "y = torch.tensor([z[0, 0].item(), 1.0])",
            "y = torch.tensor([float(z[0, 0]), 1.0])",
        ],
        ids=["numpy", "lists", "item", "float"],
    )
    def test_what_comes_back_from_outside_torch_has_come_from_what_left_it(
        self, server: Server, out_and_back: str
    ) -> None:
        """The way through NumPy or Python numbers cannot be seen; where it began can."""
        found = traced(
            server, f"import torch\ndef f(x):\n    z = x + 1\n    {out_and_back}\n    return y"
        )
        ancestors: set[int] = set()
        waiting = list(last(found, "y").sources)
        while waiting:
            number = waiting.pop()
            ancestors.add(number)
            waiting += found.steps[number].sources if number >= 0 else ()
        assert -1 in ancestors

    def test_ids_are_not_given_anew(self, server: Server) -> None:
        """A mask is not told; it is not taken for one that is gone, whose place it has."""
        found = traced(
            server,
            """
            def f(x):
                for i in range(50):
                    x + i
                masks = [x > i for i in range(9)]
                return [mask.float() for mask in masks]
            """,
        )
        made = [step for step in found.steps if step.what == "float"]
        assert [origins(found, step) for step in made] == [[]] * 9

    def test_memory_that_is_shared(self, server: Server) -> None:
        """What lies there came from whom it is shared with, whatever left torch in between."""
        found = traced(
            server,
            """
            import torch
            def f(x):
                a = x.numpy()
                m = float((x + 1).sum())
                y = torch.from_numpy(a)
                return y * m
            """,
        )
        assert origins(found, last(found, "y")) == ["input 0"]

    def test_they_are_bounded(self, server: Server) -> None:
        """A hundred; and all are earlier steps or inputs."""
        found = traced(
            server,
            "import torch\ndef f(x):\n    many = [x + i for i in range(200)]\n"
            "    return torch.stack(many)",
        )
        assert len(last(found, "stack").sources) == 100
        for number, step in enumerate(found.steps):
            assert all(-1 <= source < number for source in step.sources)


class TestCalls:
    """Functions of the file: what they are given, who calls them, which call is which."""

    HELPER = """
        def scaled(t, factor, *rest, shift=0, **more):
            return t * factor + shift
        def f(x):
            y = scaled(x.T, 2)
            return scaled(t=y, factor=3.5, shift=1)
        """

    def test_what_a_function_is_given(self, server: Server) -> None:
        """At the line that calls it, under the parameter's name."""
        found = traced(server, self.HELPER)
        given = [step for step in found.steps if step.kind == "argument"]
        assert [(s.line, s.what, s.call) for s in given] == [(4, "t", 0), (5, "t", 0)]
        assert torch.equal(given[0].value, X.T)
        assert [origins(found, s) for s in given] == [["4 T"], ["2 add"]]

    def test_a_list_that_is_given_is_a_stack(self, server: Server) -> None:
        """As under a name."""
        found = traced(
            server, "def g(rows):\n    return rows[0]\ndef f(x):\n    return g([x, x + 1])"
        )
        (given,) = [step for step in found.steps if step.kind == "argument"]
        assert torch.equal(given.value, torch.stack([X, X + 1]))

    def test_the_entry_s_own_arguments_are_inputs(self, server: Server) -> None:
        """Nobody in the file gives them."""
        found = traced(server, "def f(x):\n    return x + 1")
        assert {step.kind for step in found.steps} == {"call", "returned"}

    def test_calls_are_told_with_their_lines(self, server: Server) -> None:
        """The entry first; of each, the parameters that are numbers, texts or tuples of such."""
        found = traced(server, self.HELPER)
        assert found.calls == (
            FunctionCall(0),
            FunctionCall(4, ("factor", "shift")),
            FunctionCall(5, ("factor", "shift")),
        )

    def test_a_step_knows_its_call(self, server: Server) -> None:
        """The same line in two calls makes two steps; a step after a call is the caller's again."""
        found = traced(server, self.HELPER)
        assert [(s.line, s.call, s.callers) for s in found.steps if s.what == "mul"] == [
            (2, 1, (4,)),
            (2, 2, (5,)),
        ]
        assert [(s.call, s.callers) for s in found.steps if s.what == "y"] == [(0, ())]

    def test_callers_innermost_first(self, server: Server) -> None:
        """Eight at most."""
        found = traced(
            server,
            """
            def down(t, n):
                if n:
                    return down(t, n - 1)
                return t + 1
            def f(x):
                a = down(x, 1)
                return down(a, 20)
            """,
        )
        adds = [step.callers for step in found.steps if step.what == "add"]
        assert adds == [(3, 6), (3,) * 8]

    def test_a_call_that_ends_with_an_exception_has_ended(self, server: Server) -> None:
        """What the caller does then is the caller's."""
        found = traced(
            server,
            """
            def g(t):
                raise ValueError
            def f(x):
                try:
                    g(x)
                except ValueError:
                    y = x + 1
                return y
            """,
        )
        assert (last(found, "add").call, last(found, "add").callers) == (0, ())

    def test_a_comprehension_is_no_function(self, server: Server) -> None:
        """Its frame, where it has one, is the line's own: neither a call nor a caller."""
        found = traced(
            server,
            """
            def g(t, k):
                return t * k
            def f(x):
                return sum([g(row, 2) for row in x] + list(g(row, 3) for row in x))
            """,
        )
        assert [call.plain for call in found.calls] == [(), ("k",), ("k",), ("k",), ("k",)]
        assert {s.callers for s in found.steps if s.what == "mul"} == {(4,)}
        assert {s.call for s in found.steps if s.line == 4} == {0}

    def test_they_are_bounded(self, server: Server) -> None:
        """Five hundred; a step in a later one is in none that is told."""
        found = traced(
            server,
            """
            def g(t):
                return 1
            def f(x):
                for i in range(600):
                    g(i)
                return h(x)
            def h(t):
                return t + 1
            """,
        )
        assert len(found.calls) == 500
        assert last(found, "add").call == 500


class TestReturned:
    def test_under_its_keys(self, server: Server) -> None:
        """At the line that returns, from what made it."""
        found = traced(
            server,
            "def f(x):\n    y = x + 1\n    out = {'a': y, 'b': x}\n    return out",
        )
        returned = [step for step in found.steps if step.kind == "returned"]
        assert [(step.line, step.what) for step in returned] == [(4, "a"), (4, "b")]
        assert [origins(found, step) for step in returned] == [["2 add"], ["input 0"]]

    def test_a_lone_tensor_has_no_key(self, server: Server) -> None:
        """It is told under the empty text."""
        found = traced(server, "def f(x):\n    return x + 1")
        assert [(s.what, s.kind) for s in found.steps] == [("add", "call"), ("", "returned")]

    @pytest.mark.parametrize(
        "result",
        [
            "None", "[x]", "(x, x)", "{1: x}", "{'a': [x]}", "{'a': 1.0}", "{'a': x > 0}",
            "collections.OrderedDict(a=x)",
        ],
    )  # fmt: skip
    def test_only_tensors_of_a_dict_with_texts_for_keys(self, server: Server, result: str) -> None:
        """What is no output is left out; a dict of another type is a solution's own code."""
        found = traced(server, f"import collections\ndef f(x):\n    return {result}")
        assert [step.what for step in found.steps if step.kind == "returned"] == []

    def test_a_key_that_is_no_text_hides_no_other(self, server: Server) -> None:
        """It is left out, and the outputs stay."""
        found = traced(server, "def f(x):\n    return {1: x, None: x, 'a': x}")
        assert [step.what for step in found.steps if step.kind == "returned"] == ["a"]

    def test_nothing_when_nothing_is_returned(self, server: Server) -> None:
        """An exception has a line of its own."""
        found = traced(server, "def f(x):\n    y = {'a': x + 1}\n    raise ValueError")
        assert [step.kind for step in found.steps] == ["call"]


class TestTracks:
    """Whether a gradient would pass through."""

    def test_where_gradients_are_asked_for(self, server: Server) -> None:
        """It is lost where it is cut off, and stays lost."""
        found = traced(
            server,
            """
            import torch
            def f(x):
                a = x + 1
                b = a.detach() * 2
                with torch.no_grad():
                    c = a * 3
                return a + b
            """,
            gradients=("x",),
        )
        assert {s.what: s.tracks for s in found.steps if s.kind == "call"} == {
            "add": True,
            "detach": False,
            "mul": False,
        }
        assert (last(found, "a").tracks, last(found, "c").tracks) == (True, False)

    def test_nowhere_else(self, server: Server) -> None:
        """Inputs are plain tensors then."""
        found = traced(server, "def f(x):\n    a = x + 1\n    return a")
        assert not any(step.tracks for step in found.steps)

    def test_a_list_does_as_soon_as_one_of_it_does(self, server: Server) -> None:
        """The result made of it would."""
        source = "def f(x):\n    a = [x.detach(), x]\n    b = [x.detach()]\n    return x"
        found = traced(server, source, gradients=("x",))
        assert (last(found, "a").tracks, last(found, "b").tracks) == (True, False)


class TestRun:
    """Which lines ran, and which numbers they changed."""

    def test_lines_in_order(self, server: Server) -> None:
        """Those of helpers among them; one that is not taken is missing."""
        found = traced(
            server,
            """
            def g(t):
                return t
            def f(x):
                if x.sum() < 0:
                    return x
                for _ in range(2):
                    y = g(x)
                return y
            """,
        )
        assert found.lines == (4, 6, 7, 2, 6, 7, 2, 6, 8)

    def test_lines_are_bounded(self, server: Server) -> None:
        """A thousand are enough to see where two runs part."""
        found = traced(server, "def f(x):\n    for i in range(2000):\n        pass\n    return x")
        assert len(found.lines) == 1000

    @pytest.mark.parametrize(
        ("body", "expected"),
        [
            ("eps = 0.5\nreturn x + eps", ((2, "eps"),)),
            ("eps = float(eps)\nreturn x + eps", ()),
            ("eps = eps or 0.5\nreturn x + eps", ()),
            ("eps = None\nreturn x", ()),
            ("eps = True\nreturn x", ()),
            ("width = 0.5\nreturn x + width", ()),
            ("return g(x, 0.5)", ((2, "eps"),)),
            ("return g(x, eps)", ()),
            ("return g(x, True)", ()),
            ("return g(x)", ((2, "eps"),)),
            ("return g(\n    x,\n    eps=eps * 2,\n)", ((2, "eps"),)),
            ("layers = 7\neps = 0\nreturn x", ((2, "layers"), (3, "eps"))),
        ],
        ids=[
            "bound", "the same", "or", "no number", "a bool", "another name", "given",
            "handed on", "a bool is given", "a default", "over lines", "two",
        ],
    )  # fmt: skip
    def test_a_number_that_is_another_one_under_its_name(
        self, server: Server, body: str, expected: tuple[tuple[int, str], ...]
    ) -> None:
        """Of the numbers of the call: bound in the entry, or given to a function of the file."""
        lines = textwrap.indent(body, "    ")
        source = f"def f(x, eps, layers):\n{lines}\ndef g(t, eps=1e-6):\n    return t + eps"
        assert traced(server, source, eps=0.25, layers=3).renumbered == expected

    @pytest.mark.parametrize(
        ("body", "expected"),
        [("gain = 3.0", ((2, "gain"),)), ("gain = 2", ()), ("x = g(x, 1)", ((2, "gain"),))],
    )
    def test_a_default_of_the_entry_counts(
        self, server: Server, body: str, expected: tuple[tuple[int, str], ...]
    ) -> None:
        """The call leaves it out, and that is what it says then; no other function's does."""
        source = f"def f(x, gain=2.0):\n    {body}\n    return x\n"
        source += "def g(t, gain, power=1):\n    power = 2\n    return t"
        assert traced(server, source).renumbered == expected


FIND = """
import gc, torch
def f(x):
    found = {type(o).__name__: o for o in gc.get_objects() if type(o).__name__ in NAMES}
    trace, recording = (found[name] for name in NAMES)
    steps, tensors = recording.steps, recording.tensors
    del found
    def put(*row, tensor=None):
        steps.append(row)
        tensors.append(torch.ones(2) if tensor is None else tensor)
    trace.spend_line = lambda: False
    steps.clear(); tensors.clear()
    {}
    return None
NAMES = ("Trace", "Recording")
"""
"""Forges what was recorded: rows by `put`, all else by `trace`."""


WELL_FORMED = {
    "a call": "put(1, 'x', 'call', (), (), 0, False)",
    "of every kind": "put(*ROW); put(1, 'x', 'name', (0, -1, -9), (2, 3), 1, True); "
    "put(1, 'x', 'argument', (1,), (), 0, False); put(1, 'x', 'returned', (2,), (), 0, True)",
    "a line that is in no file": "put(-5, 'x', *REST); put(1 << 61, 'x', *REST)",
    "a long name": "put(1, 'y' * 9000, *REST)",
    "integers": "put(*ROW, tensor=torch.arange(3))",
    "no tensor at all": "pass",
    "lines": "trace.lines = [3, -1, 1 << 61] * 300",
    "calls": "trace.calls = [(0, 0, []), (1, -4, ['a'] * 20)]",
    "renumbered": "trace.renumbered = [(1 << 61, 'eps')]",
    "returned": "trace.returned = -1; trace.mutated = 1 << 61",
}
MALFORMED = {
    "a line past counting": "put(10**30, 'x', *REST)",
    "a line that is no number": "put('a', 'x', *REST)",
    "a line that is true": "put(True, 'x', *REST)",
    "a name that is no text": "put(1, 5, *REST)",
    "an unknown kind": "put(1, 'x', 'guess', (), (), 0, False)",
    "a source that comes later": "put(1, 'x', 'call', (0,), (), 0, False)",
    "sources that are no list": "put(1, 'x', 'call', 3, (), 0, False)",
    "a source that is no number": "put(1, 'x', 'call', (0.0,), (), 0, False)",
    "callers that are no numbers": "put(1, 'x', 'call', (), ('a',), 0, False)",
    "a call that is no number": "put(1, 'x', 'call', (), (), None, False)",
    "two values": "put(1, 'x')",
    "eight values": "put(*ROW, 1)",
    "no row": "put(*ROW); steps[0] = 'abcdefg'",
    "more steps than tensors": "put(*ROW); steps.append(ROW)",
    "more tensors than steps": "put(*ROW); tensors.append(torch.ones(2))",
    "too many": "[put(*ROW) for _ in range(700)]",
    "masks": "put(*ROW, tensor=torch.ones(2) > 0)",
    "complex": "put(*ROW, tensor=torch.ones(2, dtype=torch.complex64))",
    "no tensor": "put(*ROW, tensor='x')",
    "no list of steps": "recording.steps = None",
    "returned is a text": "trace.returned = '5'",
    "returned is infinite": "trace.returned = float('inf')",
    "mutated is a fraction": "trace.mutated = 1.5",
    "too many lines": "trace.lines = [1] * 1001",
    "lines that are no numbers": "trace.lines = ['1']",
    "a call without its parameters": "trace.calls = [(0, 0)]",
    "a parameter that is no text": "trace.calls = [(0, 0, [1])]",
    "renumbered without a name": "trace.renumbered = [(1,)]",
}
CONSTANTS = "\nROW = (1, 'x', 'call', (), (), 0, False)\nREST = ROW[2:]\n"


@pytest.mark.parametrize("name", WELL_FORMED)
def test_forged_steps_that_look_right_are_taken(server: Server, name: str) -> None:
    """Whoever forges them misleads nobody but themselves; it is all the same kind of numbers."""
    found = trace(server, FIND.replace("{}", WELL_FORMED[name]) + CONSTANTS)
    assert isinstance(found, Traced), found
    assert all(len(step.what) <= 4000 for step in found.steps)


@pytest.mark.parametrize("name", MALFORMED)
def test_a_forged_trace_is_refused(server: Server, name: str) -> None:
    """Whatever has not the form of one, in this one thing; and with it the fork ends."""
    found = trace(server, FIND.replace("{}", MALFORMED[name]) + CONSTANTS)
    assert isinstance(found, Ended), found
    assert found.reason == "malformed"


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
