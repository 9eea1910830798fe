"""Edits: slices set, copied, aligned."""

from __future__ import annotations

import pytest
import torch

from grader.problem.expressions import parse
from grader.problem.model import AlignEdit, Constant, CopyEdit, Edit, Fill, SetEdit
from grader.tensors.draw import Draw, InputError, generator
from grader.tensors.edit import Draft, apply, edit_order

AXES = ("layers", "batch", "width")


def drafts() -> dict[str, Draft]:
    """Return three inputs: all different, all different and negative, and a vector."""
    values = torch.arange(24, dtype=torch.float64).reshape(3, 2, 4)
    vector = torch.tensor([2.0, 0.0, 0.0, 0.0], dtype=torch.float64)
    return {
        "outputs": Draft(values, AXES),
        "embedding": Draft(-1 - values[0], AXES[1:]),
        "query": Draft(vector, AXES[2:]),
    }


def edited(edit: Edit) -> torch.Tensor:
    """Return the first input after one edit."""
    inputs = drafts()
    apply(edit, "outputs", inputs, Draw({"layers": 3}, generator(0, "case", 0)))
    return inputs["outputs"].values


@pytest.mark.parametrize(
    "at", [{}, {"layers": 1}, {"width": -1}, {"batch": 0, "width": 2}, dict.fromkeys(AXES, 1)]
)
def test_set_changes_the_slice_and_nothing_else(at: dict[str, int]) -> None:
    """Axes that are not named are taken whole."""
    place = tuple(at.get(axis, slice(None)) for axis in AXES)
    changed = edited(SetEdit(at, parse("layers * 10 + 0.5"))) != drafts()["outputs"].values
    expected = torch.zeros(3, 2, 4, dtype=torch.bool)
    expected[place] = True
    assert torch.equal(changed, expected)


def test_copy_within_one_input_repeats_a_slice() -> None:
    """Source stays, target follows."""
    values, before = edited(CopyEdit({"layers": 2}, {"layers": 0}, "outputs")), drafts()["outputs"]
    assert torch.equal(values[2], before.values[0])
    assert torch.equal(values[:2], before.values[:2])


def test_copy_from_another_input_by_its_own_axes() -> None:
    """A whole input can be one layer of another."""
    values = edited(CopyEdit({"layers": 0}, {}, "embedding"))
    assert torch.equal(values[0], drafts()["embedding"].values)


def test_slices_that_overlap_are_copied_as_they_were() -> None:
    """A slice is read before any of it is written."""
    inputs = {"square": Draft(torch.arange(9.0, dtype=torch.float64).reshape(3, 3), ("row", "col"))}
    edit = CopyEdit({"row": 1}, {"col": 0}, "square")
    apply(edit, "square", inputs, Draw({}, generator(0, "case", 0)))
    assert inputs["square"].values[1].tolist() == [0, 3, 6]


def test_copy_does_not_broadcast() -> None:
    """A vector does not fill a matrix unasked."""
    with pytest.raises(InputError, match=r"shape \[4\] is copied to one of \[2, 4\]"):
        edited(CopyEdit({"layers": 0}, {}, "query"))


@pytest.mark.parametrize("entry", [3, -4])
def test_an_index_outside_its_axis_is_named(entry: int) -> None:
    """Smaller sizes of an earlier call can leave an edit without a place."""
    with pytest.raises(InputError, match=f'index {entry} is outside axis "layers" of size 3'):
        edited(SetEdit({"layers": entry}, parse(0)))


def test_align_adds_to_one_entry_at_each_position() -> None:
    """The query at RMS 1, times the amount, once a batch entry."""
    added = edited(AlignEdit("query", "layers", parse(8))) - drafts()["outputs"].values
    winners = added[..., 0] != 0
    assert winners.sum(0).tolist() == [1, 1]
    assert added[winners].tolist() == [[16.0, 0, 0, 0]] * 2  # the query's RMS is 1: 2 / sqrt(4)


def test_align_with_zero_changes_nothing() -> None:
    """A zero query has no direction."""
    inputs = drafts()
    inputs["query"].values.zero_()
    apply(AlignEdit("query", "layers", parse(8)), "outputs", inputs, Draw({}, generator(0, "c", 0)))
    assert torch.equal(inputs["outputs"].values, drafts()["outputs"].values)


def test_align_without_entries_changes_nothing() -> None:
    """Zero layers have no winner."""
    inputs = drafts() | {"outputs": Draft(torch.empty(0, 2, 4, dtype=torch.float64), AXES)}
    apply(AlignEdit("query", "layers", parse(8)), "outputs", inputs, Draw({}, generator(0, "c", 0)))
    assert inputs["outputs"].values.shape == (0, 2, 4)


def test_align_needs_an_input_that_fits() -> None:
    """A vector over layers does not lie along width."""
    inputs = drafts() | {"query": Draft(torch.ones(3, dtype=torch.float64), ("layers",))}
    with pytest.raises(InputError, match=r"shape \[3\] does not fit"):
        apply(
            AlignEdit("query", "layers", parse(8)),
            "outputs",
            inputs,
            Draw({}, generator(0, "c", 0)),
        )


def fill(*edits: Edit) -> Fill:
    """Return a fill with these edits."""
    return Fill(Constant(parse(0)), edits)


def test_an_input_is_edited_after_those_it_reads() -> None:
    """Otherwise the order is that of the parameters."""
    align, copy = AlignEdit("query", "layers", parse(1)), CopyEdit({}, {}, "query")
    own = SetEdit({}, parse(1))
    fills = {
        "other": fill(own),
        "outputs": fill(align),
        "embedding": fill(copy),
        "query": fill(own),
    }
    assert edit_order(fills) == ["other", "query", "outputs", "embedding"]


def test_inputs_that_read_each_other_are_each_edited_once() -> None:
    """A cycle ends where it is first met."""
    fills = {"a": fill(CopyEdit({}, {}, "b")), "b": fill(CopyEdit({}, {}, "a"))}
    assert edit_order(fills) == ["b", "a"]
