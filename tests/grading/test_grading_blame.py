"""From the first wrong tensor to the line that a reader would mark: each rule, and its look-alikes.

The computation of the tests, a ladder of rows:

    rows    (R+1, B, W)  `first`, then `rest`
    scaled  (R+1, B, W)  each divided by the root of its mean square plus eps
    logits  (R+1, B)     each times `query`, summed
    shares  (R+1, B)     their softmax over the rows
    mix     (B, W)       the rows, each times its share, summed
    told    (R+1, B)     the shares, handed over

A solution has one line a stage, some of them replaced; the line to be found ends in `# wrong`.
"""

from __future__ import annotations

import textwrap
import time
from dataclasses import dataclass
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from grader.grading.blame import Blame
from grader.grading.locate import Place, locate
from grader.grading.match import Result, Results
from grader.grading.reading import Reading
from grader.grading.source import Source
from grader.sandbox.client import Server
from grader.sandbox.messages import Argument, Call, FunctionCall, Ready, Traced, TraceStep
from grader.stages import Choice, Computation, Evaluation, Stage


def divided(rows: Tensor, eps: float, axis: int = -1) -> Tensor:
    return rows / (rows.square().mean(axis, keepdim=True) + eps).sqrt()


def mixed(shares: Tensor, rows: Tensor) -> Tensor:
    return (shares.unsqueeze(-1) * rows).sum(0)


def stacked(first: Tensor, *rest: Tensor) -> Tensor:
    return torch.cat([first[None], *rest])


LADDER = Computation(
    (
        Stage(
            "rows",
            lambda first, rest: stacked(first, rest),
            {
                "no_first": [lambda rest: rest],
                "no_last": [lambda first, rest: stacked(first, rest[:-1])],
                "no_start": [lambda first, rest: stacked(first, rest[1:])],
                "twice": [lambda first, rest: stacked(first, first[None], rest)],
                "backwards": [lambda first, rest: stacked(first, rest.flip(0))],
                "sums": [lambda first, rest: stacked(first, rest).cumsum(0)],
                "zeros": [lambda first, rest: stacked(first, rest, torch.zeros_like(rest[:1]))],
            },
        ),
        Stage(
            "scaled",
            lambda rows, eps: divided(rows, eps),
            {
                "other_eps": [lambda rows: divided(rows, 1e-6)],
                "eps_outside": [
                    lambda rows, eps: rows / (rows.square().mean(-1, keepdim=True).sqrt() + eps)
                ],
                "positive": [lambda rows, eps: divided(rows, eps).abs()],
            },
            [
                lambda rows: rows.square(),
                lambda rows: rows.square().mean(-1),
                lambda rows, eps: rows.square().mean(-1) + eps,
                lambda rows, eps: (rows.square().mean(-1) + eps).sqrt(),
            ],
        ),
        Stage(
            "logits",
            lambda scaled, query: scaled @ query,
            {"halved": [lambda scaled, query: scaled @ query / 2]},
            [lambda scaled, query: scaled * query],
        ),
        Stage(
            "shares",
            lambda logits: logits.softmax(0),
            {
                "over_batch": [lambda logits: logits.softmax(1)],
                "first_of_batch": [lambda logits: logits.softmax(0)[:, :1].expand_as(logits)],
            },
            [lambda logits: logits.exp()],
        ),
        Stage(
            "mix",
            mixed,
            {
                "of_scaled": [lambda shares, scaled: mixed(shares, scaled)],
                "first_added": [lambda shares, rows, first: mixed(shares, rows) + first],
                "last_left_out": [lambda shares, rows: mixed(shares[:-1], rows[:-1])],
            },
            [lambda shares, rows: shares.unsqueeze(-1) * rows],
        ),
        Stage(
            "told",
            lambda shares: shares,
            {"logits_told": [lambda logits: logits], "doubled": [lambda shares: shares * 2]},
        ),
    ),
    {"shares": "told", "mix": "mix"},
)
LINES = {
    "rows": "rows = torch.cat([first[None], rest])",
    "scaled": "scaled = rows / (rows.square().mean(-1, keepdim=True) + eps).sqrt()",
    "logits": "logits = scaled @ query",
    "shares": "shares = logits.softmax(0)",
    "mix": "mix = (shares.unsqueeze(-1) * rows).sum(0)",
    "return": 'return {"shares": shares, "mix": mix}',
}
RANDOM = torch.Generator().manual_seed(3)
INPUTS: dict[str, Any] = {
    "first": torch.rand(3, 5, generator=RANDOM) + 0.5,
    "rest": torch.randn(4, 3, 5, generator=RANDOM) * torch.tensor([0.5, 1, 2, 3])[:, None, None],
    "query": torch.randn(5, generator=RANDOM),
    "eps": 0.25,
}


def solution(body: str) -> str:
    """The text of a file: the body's lines in the place of those that bind the same names."""
    lines = textwrap.dedent(body).strip("\n").split("\n")
    own = [n for n, name in enumerate(LINES) if any(_binds(name, line) for line in lines)]
    every = list(LINES.values())
    whole = [*every[: min(own)], *lines, *every[max(own) + 1 :]]
    return "\n    ".join(["import torch\ndef f(first, rest, query, eps=0.5):", *whole, ""])


def _binds(name: str, line: str) -> bool:
    return line.startswith("return ") if name == "return" else line.startswith(f"{name} =")


def trace(server: Server, text: str) -> Traced:
    call = Call(tuple(Argument(name, value) for name, value in INPUTS.items()))
    with server.open_session(memory_mb=512, output_kb=4, cpu_s=20) as session:
        ready = session.load(
            text.encode(),
            name="mine.py",
            entry="f",
            required=("first", "rest", "query"),
            optional=("eps",),
            timeout_s=10,
        )
        assert isinstance(ready, Ready), ready
        found = session.trace(call, keyword=ready.keyword, timeout_s=10)
    assert isinstance(found, Traced), found
    return found


def place(traced: Traced, source: Source, trap: str) -> Place:
    """What is found in a trace of the file; `trap`: the mistake, "" if it is not known."""
    chosen: list[Choice] = [each for each in LADDER.choices() if each.trap == trap]
    given = {n: v.double() if isinstance(v, Tensor) else v for n, v in INPUTS.items()}
    evaluation = Evaluation(LADDER, given, torch.float32)
    tensors = {name: value for name, value in given.items() if isinstance(value, Tensor)}
    return locate(LADDER, evaluation, tensors, traced, chosen, {}, source)


@dataclass(frozen=True)
class File:
    """A mistake, and the lines that make it."""

    trap: str
    body: str


NORM = "def norm(t, eps=1e-6):\n    return t / (t.square().mean(-1, keepdim=True) + eps).sqrt()\n"
A_NUMBER_CHANGES = {
    "bound": File("other_eps", f"eps = 1e-6  # wrong\n{LINES['scaled']}"),
    "given": File("other_eps", f"{NORM}scaled = norm(rows, 1e-6)  # wrong"),
    "left to a default": File("other_eps", f"{NORM}scaled = norm(rows)  # wrong"),
    "handed on": File(
        "other_eps",
        """
        def root(t, eps):
            return (t.square().mean(-1, keepdim=True) + eps).sqrt()
        def norm(t, eps=1e-6):
            return t / root(t, eps)
        scaled = norm(rows)  # wrong
        """,
    ),
    "not: written out": File("other_eps", LINES["scaled"].replace("+ eps", "+ 1e-6") + "  # wrong"),
    "not: in another call": File(
        "eps_outside",
        f"{NORM}unused = norm(rows)\n"
        "scaled = rows / (rows.square().mean(-1, keepdim=True).sqrt() + eps)  # wrong",
    ),
    "not: in another call of the same function": File(
        "eps_outside",
        """
        def norm(t, eps=1e-6):
            return t / (t.square().mean(-1, keepdim=True).sqrt() + eps)  # wrong
        unused = norm(query)
        scaled = norm(rows, eps)
        """,
    ),
}
IT_IS_HANDED_OVER = {
    "in a dict": File(
        "logits_told", 'return {\n    "mix": mix,\n    "shares": logits,  # wrong\n}'
    ),
    "by index": File(
        "logits_told",
        """
        out = {"mix": mix}
        out["shares"] = logits  # wrong
        return out
        """,
    ),
    "as a keyword": File(
        "logits_told", "return dict(\n    mix=mix,\n    shares=logits,  # wrong\n)"
    ),
    "not: it is computed": File(
        "doubled", 'told = shares * 2  # wrong\nreturn {"shares": told, "mix": mix}'
    ),
}
IT_IS_CALLED = {
    "right in itself": File(
        "no_first",
        """
        def joined(rows):
            return torch.stack(list(rows))
        rows = joined(rest)  # wrong
        """,
    ),
    "right in itself, of something right": File(
        "no_last",
        """
        def up_to(t, n):
            return torch.stack(t.unbind()[:n])
        rows = torch.cat([first[None], rest])
        rows = up_to(rows, len(rest))  # wrong
        """,
    ),
    "right in another call": File(
        "of_scaled",
        """
        def weighted(w, v):
            return (w.unsqueeze(-1) * v).sum(0)
        mix = weighted(shares, rows)
        mix = weighted(shares, scaled)  # wrong
        """,
    ),
    "an axis of the caller's": File(
        "over_batch",
        """
        def soft(t, axis=0):
            e = (t - t.amax(axis, keepdim=True)).exp()
            return e / e.sum(axis, keepdim=True)
        shares = soft(logits, axis=1)  # wrong
        """,
    ),
    "not: an axis of its own": File(
        "over_batch",
        """
        def soft(t, scale=1):
            e = (t * scale).exp()
            return e / e.sum(1, keepdim=True)  # wrong
        shares = soft(logits)
        """,
    ),
    "not: a formula of its own": File(
        "eps_outside",
        """
        def norm(t, eps):
            return t / (t.square().mean(-1, keepdim=True).sqrt() + eps)  # wrong
        scaled = norm(rows, eps)
        """,
    ),
    "not: right by chance in a loop": File(
        "positive",
        """
        def norm(t):
            t = t / (t.square().mean(-1, keepdim=True) + eps).sqrt()
            return t.abs()  # wrong
        scaled = []
        for row in rows:
            scaled.append(norm(row))
        scaled = torch.stack(scaled)
        """,
    ),
    "not: right by chance in a comprehension": File(
        "positive",
        """
        def norm(t):
            t = t / (t.square().mean(-1, keepdim=True) + eps).sqrt()
            return t.abs()  # wrong
        scaled = torch.stack([norm(row) for row in rows])
        """,
    ),
}
IT_IS_PUT_TOGETHER = {
    "a loop goes too far": File(
        "twice",
        """
        rows = [first]
        for row in [first, *rest]:  # wrong
            rows.append(row)
        rows = torch.stack(rows)
        """,
    ),
    "a loop ends too soon": File(
        "no_last",
        """
        rows = [first]
        for i in range(len(rest) - 1):  # wrong
            rows.append(rest[i])
        rows = torch.stack(rows)
        """,
    ),
    "a loop begins too late": File(
        "no_start",
        """
        rows = [first]
        for row in rest[1:]:  # wrong
            rows.append(row)
        rows = torch.stack(rows)
        """,
    ),
    "a loop runs backwards": File(
        "backwards",
        """
        rows = [first]
        for row in reversed(rest):  # wrong
            rows.append(row)
        rows = torch.stack(rows)
        """,
    ),
    "the first is missing": File(
        "no_first",
        """
        rows = []  # wrong
        for row in rest:
            rows.append(row)
        rows = torch.stack(rows)
        """,
    ),
    "one is put in front of others": File(
        "backwards",
        """
        rows = [first]
        for row in rest:
            rows.insert(1, row)  # wrong
        rows = torch.stack(rows)
        """,
    ),
    "one is put in twice": File(
        "twice",
        """
        rows = [first]
        rows.append(first)  # wrong
        for row in rest:
            rows.append(row)
        rows = torch.stack(rows)
        """,
    ),
    "a buffer is too long": File(
        "zeros",
        """
        rows = torch.zeros(len(rest) + 2, *first.shape)  # wrong
        rows[0] = first
        for i in range(len(rest)):
            rows[i + 1] = rest[i]
        """,
    ),
    "a buffer is filled backwards": File(
        "backwards",
        """
        rows = torch.empty(len(rest) + 1, *first.shape)
        rows[0] = first
        for i in range(len(rest)):
            rows[len(rest) - i] = rest[i]  # wrong
        """,
    ),
    "not: the pieces are wrong": File(
        "positive",
        """
        scaled = []
        for row in rows:
            each = row / (row.square().mean(-1, keepdim=True) + eps).sqrt()
            scaled.append(each.abs())  # wrong
        scaled = torch.stack(scaled)
        """,
    ),
    "not: the list is right": File(
        "backwards",
        """
        rows = [first]
        for row in rest:
            rows.append(row)
        rows = torch.stack(rows)
        rows = torch.cat([rows[:1], rows[1:].flip(0)])  # wrong
        """,
    ),
    "not: the pieces are sums": File(
        "sums",
        """
        state, rows = first, [first]
        for row in rest:
            state = state + row  # wrong
            rows.append(state)
        rows = torch.stack(rows)
        """,
    ),
}
A_SUM_STARTS = {
    "with an input": File(
        "first_added",
        """
        mix = first  # wrong
        for share, row in zip(shares, rows):
            mix = mix + share[:, None] * row
        """,
    ),
    "with a copy": File(
        "first_added",
        """
        mix = first.clone()  # wrong
        for share, row in zip(shares, rows):
            mix += share[:, None] * row
        """,
    ),
    "with nothing, and leaves one out": File(
        "last_left_out",
        """
        mix = torch.zeros_like(first)
        for i in range(len(rest)):  # wrong
            mix = mix + shares[i, :, None] * rows[i]
        """,
    ),
    "not: the terms are wrong": File(
        "of_scaled",
        """
        mix = torch.zeros_like(first)
        for share, row in zip(shares, scaled):
            mix += share[:, None] * row  # wrong
        """,
    ),
    "not: it is over": File(
        "first_added",
        """
        mix = torch.zeros_like(first)
        for share, row in zip(shares, rows):
            mix = mix + share[:, None] * row
        mix = mix + first  # wrong
        """,
    ),
}
IT_IS_CHOSEN = {
    "too little of it": File(
        "no_last", "kept = rest[:-1]  # wrong\nrows = torch.cat([first[None], kept])"
    ),
    "one for all": File(
        "first_of_batch",
        "one = logits.softmax(0)[:, :1]  # wrong\nshares = one.expand_as(logits)",
    ),
    "a constant": File(
        "zeros",
        "more = torch.zeros_like(rest[:1])  # wrong\nrows = torch.cat([first[None], rest, more])",
    ),
    "not: on the same line": File("no_last", "rows = torch.cat([first[None], rest[:-1]])  # wrong"),
    "not: all is there, turned": File(
        "backwards",
        "head, tail = first[None], rest[:]\nrows = torch.cat([head, tail.flip(0)])  # wrong",
    ),
}
A_LAYER_IS_MADE = {
    "under a name": File(
        "over_batch", "soft = torch.nn.Softmax(1)  # wrong\nshares = soft(logits)"
    ),
    "as an attribute": File(
        "over_batch",
        """
        class Soft:
            def __init__(self):
                self.soft = torch.nn.Softmax(dim=1)  # wrong
            def __call__(self, t):
                return self.soft(t)
        shares = Soft()(logits)
        """,
    ),
    "not: of another kind": File(
        "over_batch", "soft = torch.nn.Tanh()\nshares = logits.softmax(1)  # wrong\nsoft(shares)"
    ),
    "not: it is right elsewhere": File(
        "over_batch",
        """
        soft = torch.nn.Softmax(0)
        shares = soft(logits)
        shares = soft(logits.T).T  # wrong
        """,
    ),
    "not: nothing is said of how it is made": File(
        "over_batch", "soft = lambda t: t.softmax(1)  # wrong\nshares = soft(logits)"
    ),
}
RULES = {
    f"{rule}: {name}": file
    for rule, files in {
        "number": A_NUMBER_CHANGES,
        "handed over": IT_IS_HANDED_OVER,
        "called": IT_IS_CALLED,
        "put together": IT_IS_PUT_TOGETHER,
        "sum": A_SUM_STARTS,
        "chosen": IT_IS_CHOSEN,
        "layer": A_LAYER_IS_MADE,
    }.items()
    for name, file in files.items()
}


@pytest.mark.parametrize("name", RULES)
def test_the_line(server: Server, name: str) -> None:
    """Where a reader would put the mark; a look-alike has it where the tensor is made."""
    text = solution(RULES[name].body)
    (wrong,) = [n for n, line in enumerate(text.split("\n"), 1) if line.endswith("# wrong")]
    found = place(trace(server, text), Source.of(text.encode()), RULES[name].trap)
    assert found.line == wrong, f"{found}\n{text}"


ROWS = torch.cat([INPUTS["first"][None], INPUTS["rest"]])
TEXTS = {
    "none": "",
    "a solution": solution(A_SUM_STARTS["with an input"].body),
    "one line of a megabyte": "mix = mix + soft(" + "soft(a=" * 150_000,
    "a million lines": "    mix = mix + share\n" + "\n" * 1_000_000 + "    mix = mix + soft(row)\n",
    "half a million names": "f(\n" * 250_000 + "    mix = mix + soft(row)\n",
}
FILES = {name: Source.of(text.encode()) for name, text in TEXTS.items()}
LINES_TOLD = [-(1 << 62), -1, 0, 1, 3, 8, 12, 1_000_002, 1 << 62]
OPERATIONS = [
    "add", "cat", "stack", "expand", "unbind", "reshape", "narrow", "__getitem__", "__setitem__",
    "softmax", "rows", "shares", "mix", "soft", "(", "",
]  # fmt: skip
VALUES = [
    ROWS, ROWS.flip(0), ROWS[1:], ROWS[2], ROWS[:, 1], torch.zeros(5, 3, 5), torch.tensor(0.5),
    torch.arange(5), torch.ones(0, 3), torch.full((5, 3), float("nan")), ROWS.half() * 3,
    ROWS.cumsum(0), ROWS.softmax(0), torch.ones(1, 1, 1, 1, 1, 1, 2), torch.arange(300.0),
    torch.arange(15, dtype=torch.uint8).reshape(5, 3),
]  # fmt: skip


@st.composite
def forged(draw: st.DrawFn) -> Traced:
    """A trace of the right form, as whoever forges one may write it."""
    steps = []
    for number in range(draw(st.integers(0, 12))):
        made_from = st.sampled_from([-(1 << 62), -9, *range(-3, number)])
        steps.append(
            TraceStep(
                draw(st.sampled_from(LINES_TOLD)),
                draw(st.sampled_from(OPERATIONS)),
                draw(st.sampled_from(VALUES)),
                draw(st.sampled_from(["call", "name", "argument", "returned"])),
                tuple(draw(st.lists(made_from, max_size=3))),
                tuple(draw(st.lists(st.sampled_from(LINES_TOLD), max_size=2))),
                draw(st.sampled_from([-1, 0, 1, 2, 1 << 62])),
            )
        )
    return Traced(
        tuple(steps),
        draw(st.sampled_from([None, *LINES_TOLD])),
        calls=(FunctionCall(0), FunctionCall(draw(st.sampled_from(LINES_TOLD)), ("row", "("))),
        renumbered=((draw(st.sampled_from(LINES_TOLD)), draw(st.sampled_from(["row", "("]))),),
    )


@settings(max_examples=200)
@given(forged(), st.sampled_from(sorted(FILES)), st.sampled_from(["", "backwards", "logits_told"]))
def test_a_forged_trace_raises_nothing(traced: Traced, file: str, trap: str) -> None:
    """Whatever the numbers, the names, the tensors and the text."""
    place(traced, FILES[file], trap)


def made(value: Tensor, what: str, *sources: int, **fields: Any) -> TraceStep:
    return TraceStep(fields.pop("line", 1_000_002), what, value, sources=sources, **fields)


JUNK = torch.randn(100_000, 3, 5, generator=RANDOM)
OTHERS = tuple(ROWS[n % 5] for n in range(499))


def test_a_buffer_may_have_been_a_number() -> None:
    """In a forged trace: its states are of other shapes, and have no pieces."""
    steps = (
        made(torch.tensor(0.0), "zeros", line=2),
        made(torch.tensor(0.0), "__setitem__", 0, line=3),
        made(ROWS[:3], "__setitem__", 1, line=4),
        made(ROWS.flip(0), "__setitem__", 2, -1, line=5),
    )
    assert place(Traced(steps), FILES["a solution"], "backwards").line in (2, 3, 4, 5)


HUGE = {
    "the same place in many calls": [
        *(made(v, "add", -1, callers=(1_000_002,), call=n) for n, v in enumerate(OTHERS, 2)),
        made(ROWS.flip(0), "add", -1, callers=(1_000_002,), call=1),
    ],
    "many selections": [
        *(made(v[:2], "narrow", -2) for v in OTHERS),
        made(ROWS.flip(0), "cat", *[*range(499)] * 2, line=1),
    ],
    "a long list": [made(torch.cat([ROWS.flip(0), JUNK]), "rows", -1, kind="name")],
    "a list that grows": [
        made(torch.cat([ROWS[4:], JUNK[:199]]), "rows", -1, kind="name", line=2),
        *(made(JUNK[n : n + 200], "rows", -1, kind="name") for n in range(250)),
        made(torch.cat([ROWS.flip(0), JUNK[-195:]]), "rows", -1, kind="name"),
    ],
    "a buffer that is filled": [
        made(torch.cat([ROWS[4:], JUNK[:199]]), "empty", line=2),
        *(made(JUNK[:200] + n, "__setitem__", n) for n in range(250)),
        made(torch.cat([ROWS.flip(0), JUNK[-195:]]), "__setitem__", 250),
    ],
    "all of each": [
        *(made(v + 0.1, "add", *range(max(-1, n - 100), n)) for n, v in enumerate(OTHERS)),
        made(ROWS.flip(0), "add", *range(499)),
    ],
}


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_trace_takes_no_time(name: str) -> None:
    """Hundreds of steps, a file of a million lines: nobody waits minutes for who writes such."""
    traced = Traced(tuple(HUGE[name]), returned=3, renumbered=((1 << 61, "eps"),) * 100)
    started = time.perf_counter()
    place(traced, FILES["a million lines"], "backwards")
    assert time.perf_counter() - started < 6


@pytest.mark.parametrize("line", LINES_TOLD)
@pytest.mark.parametrize("file", FILES)
def test_any_line_of_any_file_takes_no_time(file: str, line: int) -> None:
    """Each rule looks at the text; what is too long or too far is not read to its end."""
    step = made(ROWS.softmax(1), "softmax", -2, line=line)
    steps = (step, made(ROWS[2] + 0.5, "add", -1, line=line), made(ROWS[3], "stack", 0, line=line))
    known = {"rows": Result(ROWS)}
    reading = Reading(steps, known, {}, Results([]), [ROWS.shape, ROWS.shape])
    blame = Blame(reading, Traced(steps), FILES[file], known["rows"], hands_over="shares")
    started = time.perf_counter()
    for number in range(len(steps)):
        blame.line(number)
    assert time.perf_counter() - started < 2
