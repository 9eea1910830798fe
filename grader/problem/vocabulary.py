"""The checks that grading can report and their kinds: what a trap's `when` may refer to."""

from __future__ import annotations

from collections.abc import Mapping

KINDS: Mapping[str, tuple[str, ...] | None] = {
    "type": ("none", "tuple", "list", "nested", "numpy", "float", "subclass", "parameter", "other"),
    "keys": ("missing", "extra", "misspelled", "swapped"),
    "shape": (
        "permuted",
        "first_axis_last",
        "extra_axis",
        "unreduced_axis",
        "missing_axis",
        "other",
    ),
    "dtype": None,
    "device": ("mixed", "cpu", "cuda", "output"),
    "values": ("wrong", "nan", "inf"),
    "mutation": (),
    "gradient": ("missing", "wrong", "error"),
    "layout": ("view",),
    "state": ("repeat", "previous"),
    "precision": ("narrowed",),
    "error": ("raised",),
    "output": (),
    "memory": (),
    "time": (),
}
"""The kinds of each check, in the order they are documented. None: any, the dtype returned."""

BROADER: Mapping[str, str] = {"first_axis_last": "permuted"}
"""A kind that is a special one of another: what may be said of that may be said of it."""

CHECKS_OF_INPUTS = ("mutation", "gradient")
"""Checks whose findings name an input where others name an output."""

FLOATING = frozenset({"float16", "bfloat16", "float32", "float64"})
"""The dtypes that have gradients, and tolerances."""
