"""Mistakes of form: keys, types, ranges and closed sets, each alone.

Each row is a change of the valid spec, either texts replaced or settings added to the first case,
and what is said: parts of the message and the help, separated by `|`. `@` marks where it is said.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

FORM: list[tuple[str | dict[str, str], str]] = [
    ({"id: toy": "id: @to/y"}, '"to/y" may hold only letters, digits, _ and -'),
    ("inputs: {x: {@normal: , set: [{@at: , @value: }]}}", "has no value | leave the key out"),
    ({"title: Toy": "title: Toy\n@titel: Toy"}, 'unknown key "titel" | did you mean "title"?'),
    ({"{shape: [width]}": "{shape: [width], @shap: 3}"}, 'unknown key "shap" | "shape"'),
    ({"{normal: {}}": "{normal: {@scael: 2}}"}, 'unknown key "scael" | "scale"'),
    ("@lay_out: {x: strided}", 'unknown key "lay_out" | "layout"'),
    ({"{case_s: 2,": "{@case_seconds: 2,"}, 'unknown key "case_seconds" | "case_s"'),
    ({"why: Rows are apart.,": "@whi: Rows., why: R,"}, 'unknown key "whi" | "why"'),
    ({"{check: type,": "{check: type, @knd: x,"}, 'unknown key "knd" | "kind"'),
    (
        {"traps:": "stages: {sum: {title: Add, @formla: $s$}}\ntraps:"},
        'unknown key "formla" | "formula"',
    ),
    ({"traps:": "stages: {sum: @{formula: $s$}}\ntraps:"}, '"title" is missing in stages.sum'),
    ({"traps:": "stages: {@my-sum: {title: Add}}\ntraps:"}, "not a Python identifier"),
    ({"stage: sum,": "stage: sum, formula: @x_i,"}, "formula has no math between dollars, as in"),
    ({"stage: sum,": "stage: sum, formula: @a $ b $ c,"}, "formula has no math between dollars"),
    ({"stage: sum,": 'stage: sum, formula: @"$s$\\n$t$",'}, "formula must be one line"),
    ({"stage: sum,": "stage: sum, effect: @'',"}, "effect must not be empty"),
    ({"level: easy": "level: easy\n@level: hard"}, 'key "level" is given twice, first on line 4'),
    (
        {"rtol: 1e-5": "", "{atol: 1e-4, ": "@{atol: 1e-4"},
        '"rtol" is missing in tolerances.float32',
    ),
    ({"title: Summed over rows, ": "", "wrong_axis: {": "wrong_axis: @{"}, '"title" is missing'),
    ({"title: Toy": "title: @3"}, "title must be a text, not 3"),
    ({"title: Toy": "@title:"}, '"title" has no value | write a value'),
    ({"title: Toy": "title: @''"}, "title must not be empty"),
    ({"title: Toy": 'title: @"a\\nb"'}, "title must be one line"),
    ({"[Think.,": "[@~, Think.,"}, "this entry has no value"),
    ({"[Think.,": "[@' ', Think.,"}, "hints[0] must not be empty"),
    ({"level: easy": "level: @esay"}, 'level "esay" is not one of easy, medium, hard | "easy"'),
    ({"level: easy": "level: @[easy]"}, "level must be one of easy, medium, hard, not a list"),
    ({"tags: [sums]": "tags: @sums"}, 'tags must be a list, not the text "sums"'),
    ({"tags: [sums]": "tags: [sums, @sums]"}, '"sums" is listed twice in tags | keep one'),
    ({"entry: toy": "entry: @my-toy"}, '"my-toy" is not a Python identifier'),
    ({"entry: toy": "entry: @lambda"}, '"lambda" is a Python keyword'),
    (
        {"returns: dict": "returns: @list"},
        'returns "list" is not one of dict, tensor | known here: ',
    ),
    ({"kind: scalar": "kind: @scalr"}, 'kind "scalr" is not one of tensor, scalar | "scalar"'),
    ({"default: 1e-6": "default: @true"}, "default must be a finite number, not true"),
    ({"default: 1e-6": "default: @.nan"}, "default must be a finite number, not nan"),
    ({"{shape: [width]}": "@[width]"}, "y must be a mapping, not a list"),
    ({"{shape: [width]}": "{shape: [@width +]}"}, '"width +" is not a complete expression'),
    ({"{shape: [width]}": "{shape: [@[width]]}"}, "shape[0] must be a number or an expression"),
    ({"{shape: [width]}": "{shape: [@'']}"}, "shape[0] must not be empty"),
    (
        {"{shape: [width]}": "{shape: [width], dtype: @float23}"},
        'dtype "float23" is not a torch dtype | "float32"',
    ),
    ({"{shape: [width]}": "{shape: [width], dtype: @uint8}"}, 'dtype "uint8" is not supported'),
    ({"{float32: {atol": "{@float23: {atol"}, 'dtype "float23" is not a torch dtype | "float32"'),
    ({"atol: 1e-4": "atol: @-1"}, "atol must be at least 0, not -1"),
    (
        {"memory_mb: 1024": "memory_mb: @256"},
        "memory_mb must be at least 512, not 256 | torch alone",
    ),
    ({"memory_mb: 1024": "memory_mb: @1024.5"}, "memory_mb must be a whole number, not 1024.5"),
    ({"case_s: 2": "case_s: @0"}, "case_s must be above 0, not 0"),
    ({"case_s: 2": "case_s: @.inf"}, "case_s must be a finite number, not inf"),
    ({"points: 10": "points: @'10'"}, 'points must be a number, not the text "10"'),
    ({"points: 10": "points: @10000000"}, "points must be below 1000000"),
    ({"points: 4.1": "points: @-1"}, "points must be at least 0, not -1"),
    (
        {"dims: {batch: 2, width: 3}": "dims: {batch: @-2, width: 3}"},
        "batch must be at least 0, not -2",
    ),
    (
        {"dims: {batch: 2, width: 3}": "dims: {batch: @2.5, width: 3}"},
        "batch must be a whole number, not 2.5",
    ),
    (
        {"visibility: public": "visibility: @secret"},
        'visibility "secret" is not one of public, hidden | known here: ',
    ),
    ("dtype: @flaot32", 'dtype "flaot32" is not a torch dtype | "float32"'),
    ("device: @cuda", 'device "cuda" is not one of any, meta'),
    ("devices: [@gpu]", 'devices[0] "gpu" is not one of cpu, cuda'),
    ("devices: @[]", "devices must not be empty"),
    ("repeats: @0", "repeats must be above 0, not 0"),
    ("layout: {x: @stridden}", 'x "stridden" is not one of | "strided"'),
    ("layout: {x: @3}", "x must be one of contiguous, transposed, strided, not 3"),
    ("layout: {x: {@expandd: width, expanded: width}}", 'unknown key "expandd" | "expanded"'),
    ("inputs: {x: @{normal: {}, constant: 1}}", "x needs exactly one of"),
    ("inputs: {x: @{set: {value: 1}}}", "and has none"),
    ("inputs: {x: @[1, 2]}", "x must be a number or an expression"),
    ("inputs: {y: {uniform: @[1]}}", "uniform must have 2 entries, not 1"),
    ("inputs: {y: {uniform: @[1, 2, 3]}}", "uniform must have 2 entries, not 3"),
    ("inputs: {y: {normal: {scale: @{over: width}}}}", "scale needs exactly one of normal"),
    ("inputs: {y: {normal: {scale: {over: [width, @width], normal: 1}}}}", "listed twice"),
    ("inputs: {y: {values: [1, @true, 2]}}", "must be a number or an expression"),
    ("inputs: {y: {values: [1, @width, 2]}}", '"width" is not a constant'),
    ("inputs: {x: {normal: {}, set: {at: {batch: @x}, value: 1}}}", "must be a whole number"),
    ("inputs: {x: {normal: {}, set: [@{at: {batch: 0}}]}}", '"value" is missing'),
    ("gradients: [x, @x]", '"x" is listed twice in gradients'),
    ("expected: @[1]", "expected must be a mapping, not a list"),
    ({"wrong_axis: {": "@wrong-axis: {"}, '"wrong-axis" is not a Python identifier'),
    ({"format_version: 1": "format_version: @2"}, "format_version 2 is not known | reads format 1"),
    ({"format_version: 1": "format_version: @0"}, "format_version 0 is not known | reads format 1"),
    ({"format_version: 1": "format_version: @'1'"}, "format_version the text | reads format 1"),
    (
        {"  - {name: first, visibility: public, points: 4.1, dims:": "  - @3 #"},
        "cases[0] must be a mapping, not 3",
    ),
]


@pytest.mark.parametrize(("changes", "says"), FORM)
def test_each_mistake_is_told_once_where_it_is(
    check: Callable[[str | dict[str, str], str], None],
    changes: str | dict[str, str],
    says: str,
) -> None:
    """A single mistake gives one error, at its mark, and none that follows from it."""
    check(changes, says)
