"""Checks of one answer: what each kind of wrong answer is called, as a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
import torch
from torch import Tensor

from grader.grading.checks import Checked, check_answer, check_devices
from grader.grading.exam import Exam
from grader.sandbox.messages import (
    Answer,
    DictValue,
    OtherValue,
    PlainValue,
    Raised,
    SequenceValue,
    Value,
)
from tests.grading.grading_answers import answer, call_of, case_of, right, tensor
from tests.grading.grading_toy import SPEC, make_problem

Outputs = dict[str, Tensor]
Told = list[tuple[str, str, str | None]]


def told(checked: Checked) -> Told:
    """Check, kind and output of each finding."""
    return [(finding.check, finding.kind, finding.output) for finding in checked.findings]


def check(exam: Exam, given: Answer, case: str = "small") -> Checked:
    return check_answer(exam.problem, call_of(exam, case), given)


@pytest.mark.parametrize("case", ["small", "no rows", "double", "secret"])
def test_the_right_answer_has_no_finding(exam: Exam, case: str) -> None:
    """In each dtype, and of tensors without elements."""
    checked = check(exam, answer({**right(call_of(exam, case))}), case)
    assert checked.findings == ()
    assert checked.largest_ratio is not None
    assert checked.largest_ratio < 1
    assert list(checked.tensors) == ["total", "shares"]


WHOLE: list[tuple[Value, str, str]] = [
    (PlainValue("NoneType", "None"), "none", "returned None, expected a dict."),
    (SequenceValue("tuple", ()), "tuple", "returned a tuple of 0, expected a dict."),
    (SequenceValue("list", ()), "list", "returned a list of 0, expected a dict."),
    (tensor(torch.zeros(2)), "tensor", "returned a tensor, expected a dict."),
    (PlainValue("float", "1.5"), "float", "returned a float (1.5), expected a dict."),
    (PlainValue("int", "3"), "float", "returned an int (3), expected a dict."),
    (PlainValue("str", "done"), "other", "returned a str (done), expected a dict."),
    (OtherValue("numpy.ndarray", "shape (2)"), "numpy", "a numpy.ndarray (shape (2)), expected"),
    (OtherValue("Result"), "other", "returned a Result, expected a dict."),
    (OtherValue("dict", "9000 keys"), "other", "with more in it than can be read (9000 keys)"),
]


@pytest.mark.parametrize(("value", "kind", "words"), WHOLE)
def test_what_is_returned_as_a_whole(exam: Exam, value: Value, kind: str, words: str) -> None:
    """One finding, about no output by name, with the keys that are asked for or a better help."""
    checked = check(exam, Answer(value, ()))
    assert told(checked) == [("type", kind, None)]
    assert words in checked.findings[0].message
    assert checked.findings[0].help
    assert checked.largest_ratio is None


ONE: list[tuple[Value, str]] = [
    (PlainValue("NoneType", "None"), "other"),
    (SequenceValue("list", ()), "nested"),
    (SequenceValue("tuple", ()), "nested"),
    (DictValue(()), "nested"),
    (PlainValue("float", "1.5"), "float"),
    (OtherValue("numpy.ndarray", "shape (2)"), "numpy"),
    (OtherValue("torch.nn.parameter.Parameter", "shape (2)"), "parameter"),
    (OtherValue("MyTensor", "shape (2)"), "subclass"),
    (OtherValue("Strange"), "other"),
    (tensor(torch.zeros(2), defect="is not dense (sparse_coo)"), "other"),
]


@pytest.mark.parametrize(("value", "kind"), ONE)
def test_what_stands_where_a_tensor_belongs(exam: Exam, value: Value, kind: str) -> None:
    """The output is named; the other output is right, and stays so."""
    given = {**right(call_of(exam, "small")), "total": value}
    assert told(check(exam, answer(given))) == [("type", kind, "total")]


def without(name: str) -> Callable[[Outputs], Outputs]:
    return lambda good: {key: value for key, value in good.items() if key != name}


def renamed(name: str, to: str) -> Callable[[Outputs], Outputs]:
    return lambda good: {to if key == name else key: value for key, value in good.items()}


KEYS: list[tuple[Callable[[Outputs], Outputs], Told]] = [
    (without("shares"), [("keys", "missing", "shares")]),
    (lambda good: {}, [("keys", "missing", "total"), ("keys", "missing", "shares")]),
    (lambda good: {**good, "logits": good["total"]}, [("keys", "extra", None)]),
    (renamed("shares", "share"), [("keys", "misspelled", "shares")]),
    (renamed("total", "Total"), [("keys", "misspelled", "total")]),
    (renamed("total", "qqqqq"), [("keys", "missing", "total"), ("keys", "extra", None)]),
    (
        lambda good: {"total": good["shares"], "shares": good["total"]},
        [("keys", "swapped", None)],
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), KEYS)
def test_keys(exam: Exam, spoil: Callable[[Outputs], Outputs], expected: Told) -> None:
    """Missing, extra, misspelled, and the values under each other's name."""
    assert told(check(exam, answer({**spoil(right(call_of(exam, "small")))}))) == expected


def test_at_most_five_extra_keys_are_told(exam: Exam) -> None:
    """A thousand keys are no thousand findings."""
    extra = {f"q{number}": torch.zeros(1) for number in range(1000)}
    assert len(check(exam, answer({**right(call_of(exam, "small")), **extra})).findings) == 5


def wide(name: str, change: Callable[[Tensor], Tensor]) -> Callable[[Outputs], Outputs]:
    return lambda good: {**good, name: change(good[name])}


VALUES: list[tuple[Callable[[Outputs], Outputs], Told]] = [
    (wide("shares", lambda t: t.T), [("shape", "first_axis_last", "shares")]),
    (wide("shares", lambda t: torch.stack([t, t, t], 1)), [("shape", "unreduced_axis", "shares")]),
    (wide("shares", lambda t: t.T + 1), [("shape", "other", "shares")]),
    (wide("shares", lambda t: t[..., None]), [("shape", "extra_axis", "shares")]),
    (wide("total", lambda t: t[:, None]), [("shape", "extra_axis", "total")]),
    (wide("shares", lambda t: t[0]), [("shape", "missing_axis", "shares")]),
    (wide("shares", lambda t: t[:, :2]), [("shape", "other", "shares")]),
    (wide("total", lambda t: t.sum()), [("shape", "missing_axis", "total")]),
    (wide("total", lambda t: t.double()), [("dtype", "float64", "total")]),
    (wide("total", lambda t: t.bfloat16()), [("dtype", "bfloat16", "total")]),
    (
        wide("total", lambda t: t.long()),
        [("dtype", "int64", "total"), ("values", "wrong", "total")],
    ),
    (wide("total", lambda t: t + 1), [("values", "wrong", "total")]),
    (wide("total", lambda t: t * torch.nan), [("values", "nan", "total")]),
    (wide("total", lambda t: t / 0), [("values", "inf", "total")]),
    (wide("total", lambda t: t * (1 + 1e-7)), []),
    (
        lambda good: {name: value + 1 for name, value in good.items()},
        [("values", "wrong", "total"), ("values", "wrong", "shares")],
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), VALUES)
def test_shape_dtype_and_values(
    exam: Exam, spoil: Callable[[Outputs], Outputs], expected: Told
) -> None:
    """Shape before dtype before values; nothing broadcasts; NaN and infinity have their kinds."""
    assert told(check(exam, answer({**spoil(right(call_of(exam, "small")))}))) == expected


def test_a_permutation_tells_how_to_undo_it(exam: Exam) -> None:
    """The help is code that can be pasted."""
    good = right(call_of(exam, "small"))
    (finding,) = check(exam, answer({**good, "shares": good["shares"].T})).findings
    assert finding.message == "`shares` has shape (3, 2), expected (2, 3) (row 2, part 3)."
    assert finding.help.endswith("Try `.permute(1, 0)`.")


def test_an_output_on_another_device(exam: Exam) -> None:
    """Told with the device on which it should be."""
    good = right(call_of(exam, "small"))
    given = answer({**good, "total": tensor(good["total"], device="cuda")})
    checked = check(exam, given)
    assert told(checked) == [("device", "output", "total")]
    assert "`total` is on cuda, the inputs are on cpu." in checked.findings[0].message


def test_a_case_on_meta_looks_at_devices_alone(exam: Exam) -> None:
    """Shapes and dtypes made without values say nothing."""
    call = call_of(exam, "elsewhere")
    outputs = {"total": tensor(torch.zeros(9), device="cpu"), "shares": PlainValue("int", "1")}
    checked = check_devices(exam.problem, call, answer({**outputs}))
    assert told(checked) == [("device", "cpu", "total")]
    assert "stays on cpu when the inputs are on another device" in checked.findings[0].message


def test_float64_that_is_right_to_single_precision(exam: Exam) -> None:
    """Not wrong values, but digits lost on the way."""
    good = {name: value.float().double() for name, value in right(call_of(exam, "double")).items()}
    assert told(check(exam, answer({**good}), "double")) == [
        ("precision", "narrowed", "total"),
        ("precision", "narrowed", "shares"),
    ]


def test_changed_inputs_are_told_beside_the_values(exam: Exam) -> None:
    """As the parent saw them, by the input's name."""
    given = answer({**right(call_of(exam, "small"))}, mutated=("bias", "x"))
    expected = [("mutation", "input", "bias"), ("mutation", "input", "x")]
    assert told(check(exam, given)) == expected


def differentiated(exam: Exam, **gradients: Tensor | None) -> Answer:
    """The right answer of the case with gradients, with these in the place of the right ones."""
    call = call_of(exam, "gradients")
    return replace(answer({**right(call)}), gradients={**call.gradients, **gradients})


GRADIENTS: list[tuple[dict[str, Tensor | None], Told]] = [
    ({}, []),
    ({"x": None}, [("gradient", "missing", "x")]),
    ({"x": torch.zeros(2, 3).double()}, [("gradient", "wrong", "x")]),
    ({"bias": torch.full((3,), torch.nan).double()}, [("gradient", "wrong", "bias")]),
    ({"bias": torch.zeros(1).double()}, [("gradient", "wrong", "bias")]),
    (
        {"x": None, "bias": None},
        [("gradient", "missing", "x"), ("gradient", "missing", "bias")],
    ),
]


@pytest.mark.parametrize(("gradients", "expected"), GRADIENTS)
def test_gradients(exam: Exam, gradients: dict[str, Tensor | None], expected: Told) -> None:
    """Missing or wrong, by the input's name."""
    checked = check(exam, differentiated(exam, **gradients), "gradients")
    assert told(checked) == expected


@pytest.mark.parametrize("kind", ["tuple", "list"])
def test_a_sequence_of_all_outputs_in_order_is_evidence(
    exam: Exam, kind: Literal["tuple", "list"]
) -> None:
    """That it is no dict is found; what it holds tells something all the same."""
    good = right(call_of(exam, "small"))
    items = tuple(tensor(value) for value in good.values())
    checked = check(exam, Answer(SequenceValue(kind, items), ()))
    assert told(checked) == [("type", kind, None)]
    assert checked.tensors == dict(zip(good, items, strict=True))


NO_EVIDENCE: list[Callable[[list[Value]], list[Value]]] = [
    lambda items: items[:1],
    lambda items: items[::-1],
    lambda items: [*items, items[0]],
    lambda items: [items[0], PlainValue("int", "1")],
    lambda items: [items[0], SequenceValue("tuple", tuple(items))],
    lambda items: [],
]


@pytest.mark.parametrize("change", NO_EVIDENCE)
def test_any_other_sequence_is_none(
    exam: Exam, change: Callable[[list[Value]], list[Value]]
) -> None:
    """Which item is which output would be a guess."""
    items: list[Value] = [tensor(value) for value in right(call_of(exam, "small")).values()]
    checked = check(exam, Answer(SequenceValue("tuple", tuple(change(items))), ()))
    assert (told(checked), checked.tensors) == ([("type", "tuple", None)], {})


def test_gradients_of_wrong_values_are_not_asked_for(exam: Exam) -> None:
    """They would be wrong as well, and say nothing new."""
    wrong = differentiated(exam, x=None)
    spoilt = replace(
        wrong, value=answer({**right(call_of(exam, "gradients")), "total": torch.zeros(2)}).value
    )
    assert {one[0] for one in told(check(exam, spoilt, "gradients"))} == {"dtype", "values"}


def test_a_backward_that_raises(exam: Exam) -> None:
    """Its exception is the finding."""
    raised = Raised("ValueError", "no way back", (), "backward")
    given = replace(differentiated(exam), gradients={}, backward=raised)
    checked = check(exam, given, "gradients")
    assert told(checked) == [("gradient", "error", None)]
    assert checked.findings[0].message == "the backward pass raised ValueError: no way back"


def test_a_lone_tensor(tmp_path: Path) -> None:
    """Of a problem that returns a tensor, any other value is about that output."""
    spec = SPEC.replace("outputs:", "returns: tensor\noutputs:").replace(
        "  shares: {shape: [rows, width], axes: [row, part], sums_to_one: part}\n", ""
    )
    reference = "def toy(x, bias, factor=2.0):\n    return (x + bias).sum(-1)\n"
    exam = Exam(make_problem(tmp_path, spec, reference), 1, "cpu")
    call = exam.prepared(case_of(exam.problem, "small")).main
    good = tensor(right(call)["total"])
    assert told(check_answer(exam.problem, call, Answer(good, ()))) == []
    returned = Answer(SequenceValue("tuple", (good,)), ())
    assert told(check_answer(exam.problem, call, returned)) == [("type", "tuple", "total")]
