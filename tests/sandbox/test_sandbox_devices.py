"""Without a GPU: where would tensors of two devices meet? Told by a call on the meta device."""

from __future__ import annotations

import pytest
import torch

from grader.sandbox.client import Server
from grader.sandbox.messages import Answer, Call, Raised, TensorValue
from tests.sandbox.sandbox_runs import arguments, needs_linux, run

pytestmark = needs_linux


def on_meta(server: Server, *lines: str, after: str = "") -> Answer | Raised:
    """Call `f(x, q)` with x of (2, 3, 4) and q of (4,), both on meta; the body starts at line 3."""
    source = "\n    ".join(["import torch\ndef f(x, q):", *lines]) + f"\n{after}"
    call = Call(
        arguments(x=torch.empty(2, 3, 4, device="meta"), q=torch.empty(4, device="meta")), "meta"
    )
    outcome = run(server, source, call).outcome
    assert isinstance(outcome, (Answer, Raised)), outcome
    return outcome


CONFLICTS = {
    "a buffer in an add": ("return x + torch.ones(4)", "add"),
    "a buffer in a matmul": ("return x @ torch.ones(4)", "mv"),
    "an in-place add": ("y = torch.zeros(2, 3, 4)\n    y += x\n    return y", "add_"),
    "an addition to an input's copy": ("return x.clone().mul_(torch.ones(4))", "mul_"),
    "concatenation": ("return torch.cat([x, torch.ones(2, 3, 4)])", "cat"),
    "stacking": ("return torch.stack([x, torch.ones(2, 3, 4)])", "stack"),
    "where": ("return torch.where(torch.ones(4, dtype=torch.bool), x, x)", "where"),
    "a list made a tensor": ("return x * torch.tensor([1.0, 2.0, 3.0, 4.0])", "mul"),
    "einsum": ("return torch.einsum('bsd,d->bs', x, torch.ones(4))", "bmm"),
    "out": ("return torch.add(x, x, out=torch.empty(2, 3, 4))", "add"),
}


@pytest.mark.parametrize(("body", "operation"), CONFLICTS.values(), ids=CONFLICTS.keys())
def test_tensors_of_two_devices_are_a_conflict(server: Server, body: str, operation: str) -> None:
    """Named by the operation, with the line in the file where the other tensor is made."""
    answer = on_meta(server, body)
    assert isinstance(answer, Answer)
    assert operation in answer.device_conflict
    assert answer.device_conflict.endswith("meets tensors of two devices")
    assert answer.line == 3


LINES: dict[str, tuple[str, int]] = {
    "made before it is met": ("y = torch.ones(4)\n    return x + y", 3),
    "filled from the input": ("y = torch.zeros(2, 3, 4)\n    y[0] = x[0]\n    return y", 3),
    "copied into": ("y = torch.zeros(4)\n    y.copy_(q)\n    return y", 3),
    "made of another": ("y = torch.ones(4)\n    z = (y * 2).exp()\n    return z @ x.T", 3),
    "the first of several": ("y = torch.ones(4)\n    z = torch.ones(4)\n    return x + y * z", 3),
    "a view of it": ("y = torch.ones(9)\n    z = y[2:6]\n    return x + z", 3),
    "made by a helper": ("y = g()\n    return x + y", 6),
    "given to a helper": ("y = torch.ones(4)\n    z = h(x, y)\n    return z", 3),
    "made at import": ("y = 1\n    return x + K", 4),
    "a number that is filled": ("y = torch.tensor(0.0)\n    y.copy_(q[0])\n    return y", 3),
    "a right number beside it": (
        "y = torch.tensor(0.0)\n    z = torch.ones(4)\n    return torch.where(x > 0, y, z)", 4
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "line"), LINES.values(), ids=LINES.keys())
def test_the_line_is_where_the_tensor_on_the_other_device_is_made(
    server: Server, body: str, line: int
) -> None:
    """There `device=` is missing; where it was not seen being made, the line where they meet."""
    body += "\n" * (2 - body.count("\n"))
    after = "def g(): return torch.ones(4)\ndef h(t, u): return t * u\nK = torch.ones(4)"
    answer = on_meta(server, body, after=after)
    assert isinstance(answer, Answer)
    assert answer.device_conflict
    assert answer.line == line


def test_the_first_conflict_is_the_one_that_is_told(server: Server) -> None:
    """Also when an exception follows."""
    lines = ("a = x + torch.ones(4)", "b = x * torch.ones(4)", "return b.cpu()")
    answer = on_meta(server, *lines)
    assert isinstance(answer, Answer)
    assert (answer.device_conflict, answer.line) == ("`add` meets tensors of two devices", 3)
    assert answer.backward is not None


RIGHT = {
    "a Python number": "return x * 2.5 + 1",
    "a zero-dimensional tensor": "return x * torch.tensor(2.5)",
    "indices on the CPU": "return x[torch.tensor([0, 1])]",
    "assignment by CPU indices": "x = x.clone()\n    x[torch.tensor([0])] = 0.0\n    return x",
    "a mask of its own device": "return x.masked_fill(x > 0, 0.0)",
    "a buffer on the input's device": "return x + torch.ones(4, device=x.device)",
    "a buffer like the input": "return x + torch.zeros_like(x) + x.new_ones(4)",
    "a buffer moved": "return x + torch.ones(4).to(x.device)",
    "a CPU tensor kept apart": "y = torch.ones(3) + 1\n    return x",
    "softmax, norm, einsum": (
        "w = torch.einsum('bsd,d->bs', torch.nn.functional.rms_norm(x, (4,)), q)\n"
        "    return torch.einsum('bs,bsd->bd', w.softmax(1), x)"
    ),
    "stack, cat, mean, sqrt": (
        "y = torch.stack([x, torch.cat([x[:1], x[1:]])])\n"
        "    return y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-6)"
    ),
    "in place on its own": "return x.clone().add_(1).div_(x)",
    "arange, full, eye": "return x + torch.arange(4, device=x.device) + x.new_full((4,), 2.0)",
    "dtypes": "return x.to(torch.float16).float()",
    "a CPU tensor filled from the CPU": "y = torch.zeros(3)\n    y[0] = 1.0\n    return x * y[0]",
    "an index that is filled": "y = torch.zeros(2).long()\n    y[1] = 1\n    return x[:, y]",
    "a buffer filled from the CPU": "y = torch.empty_like(q)\n    y.copy_(torch.ones(4))\n"
    "    return x + y",
}


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT.keys())
def test_right_code_is_no_conflict(server: Server, body: str) -> None:
    """And its result is on meta."""
    answer = on_meta(server, body)
    assert isinstance(answer, Answer)
    assert answer.device_conflict == ""
    assert isinstance(answer.value, TensorValue)
    assert (answer.value.device, answer.value.data) == ("meta", None)


def test_a_result_on_another_device_is_told(server: Server) -> None:
    """It is nobody's conflict, but the wrong place."""
    answer = on_meta(server, "return torch.ones(4)")
    assert isinstance(answer, Answer)
    assert isinstance(answer.value, TensorValue)
    assert answer.value.device == "cpu"


@pytest.mark.parametrize(
    "body",
    ["return x.cpu()", "return x.to('cpu')", "return K.copy_(x)"],
)
def test_copying_out_is_torchs_error(server: Server, body: str) -> None:
    """By which it is recognised."""
    raised = on_meta(server, body, after="K = torch.zeros(2, 3, 4)")
    assert isinstance(raised, Raised)
    assert "Cannot copy out of meta tensor" in raised.message
    assert raised.lines == ((3, "f"),)


def test_copying_into_a_tensor_of_the_call_is_a_conflict_and_an_error(server: Server) -> None:
    """What was made on the wrong device comes first; that it raised is told beside it."""
    answer = on_meta(server, "y = torch.zeros(4)", "y[0] = q[0]", "return y")
    assert isinstance(answer, Answer)
    assert answer.device_conflict == "`copy_` meets tensors of two devices"
    assert answer.backward is not None
    assert "Cannot copy out of meta tensor" in answer.backward.message


@pytest.mark.parametrize(
    "body",
    ["return x.sum().item()", "return x if x.sum() > 0 else q", "return float(q[0])"],
)
def test_asking_for_a_value_is_torchs_error(server: Server, body: str) -> None:
    """Shapes alone cannot tell: the case is inconclusive."""
    raised = on_meta(server, body)
    assert isinstance(raised, Raised)
    assert "item() cannot be called on meta tensors" in raised.message


def test_shapes_and_strides_are_those_of_the_real_operation(server: Server) -> None:
    """A transposed input stays transposed."""
    source = "def f(x): return (x.T @ x.T.T).unsqueeze(0).expand(5, 3, 3)"
    call = Call(arguments(x=torch.empty(4, 3, device="meta")), "meta")
    value = run(server, source, call).answer.value
    assert isinstance(value, TensorValue)
    assert (value.shape, value.dtype) == ((5, 3, 3), "float32")
