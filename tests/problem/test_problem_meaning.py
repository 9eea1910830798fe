"""Mistakes of meaning: what two places of the spec say against each other, each alone.

Each row is a change of the valid spec, either texts replaced or settings added to the first case,
and what is said: parts of the message and the help, separated by `|`. `@` marks where it is said.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

MEANING: list[tuple[str | dict[str, str], str]] = [
    (
        {"hint: Which axis?}": "hint: Which axis?, same_as: [@wrong_axs]}"},
        'unknown trap "wrong_axs" | did you mean "wrong_axis"?',
    ),
    (
        {"hint: Which axis?}": "hint: Which axis?, same_as: [@wrong_axis]}"},
        'trap "wrong_axis" is the same as itself',
    ),
    (
        {"hint: Which axis?}": "hint: Which axis?, same_as: [@wrong_type]}"},
        "a trap of the contract is seen by its checks, not by its values",
    ),
    (
        {
            "total: {shape: [batch]": "total: {shape: [@batch +]",
            "3}}": "3}, expected: {total: [1]}}",
        },
        "not a complete expression",
    ),
    (
        {"{batch: 2, width: 3}}": "@{width: 3}, expected: {total: [1]}}"},
        'case "first" gives no size to "batch"',
    ),
    (
        {
            "x: {shape: [batch, width]}": "x: {shape: [width, width]}",
            "x: {normal: {}}": "x: {normal: {mean: {over: @width, normal: 1}}}",
        },
        '"width" is more than one axis of this input',
    ),
    (
        {
            "y: {shape: [width]}": "y: {shape: [@width +]}",
            "x: {normal: {}}": "x: {normal: {}, copy: {of: y}}",
        },
        "not a complete expression",
    ),
    (
        {"y: {shape: [width]}": "y: {shape: []}", "y: {uniform: [0, 1]}": "y: {values: @3}"},
        "a tensor without axes has no list of values | write `constant`",
    ),
    (
        {"id: toy": "id: @other", "tags": "reference: ../../solutions/toy.py\ntags"},
        'id "other" is not the name | `id: toy`',
    ),
    ({"tags: [sums]": "reference: @../nowhere.py"}, 'the reference "../nowhere.py" is missing'),
    ({"tags: [sums]": 'reference: @"a\\0b"'}, "the reference"),
    (
        {
            "  eps: {kind: scalar, default: 1e-6}\n": "",
            "  x: {shape": "  eps: {kind: scalar, default: 1e-6}\n  @x: {shape",
            "  y: {shape": "  @y: {shape",
        },
        'has no default but follows | before "eps"',
    ),
    (
        {"returns: dict": "returns: @tensor"},
        "a solution that returns a tensor has one output, not 2",
    ),
    (
        {"axes: [row, part], sums_to_one: part": "axes: @[row]"},
        'output "shares" has 2 axes in its shape and names 1',
    ),
    (
        {"axes: [row, part], sums_to_one: part": "axes: [row, @row]"},
        'axis "row" of output "shares" is named twice',
    ),
    ({"sums_to_one: part": "sums_to_one: @parts"}, 'unknown axis "parts" | "part"'),
    ({"scale: [x]": "scale: [@xx]"}, 'unknown input "xx" | "x"'),
    ({"scale: [x]": "scale: [x, @eps]"}, 'input "eps" is a scalar'),
    (
        {"y: {shape: [width]}": "y: {shape: [@widht]}"},
        'unknown dim "widht" in "widht", to which no case | "width"',
    ),
    ({"[batch, width + 1]": "[batch, @wdth + 1]"}, 'unknown dim "wdth" in "wdth + 1" | "width"'),
    (
        {"points: 10": "points: @11"},
        "the points of the cases add up to 10.0, not to 11 | `points: 10.0`",
    ),
    (
        {"points: 5.9": "points: 5.9000000001", "points: 10": "points: @10"},
        "add up to 10.0000000001, not to 10",
    ),
    ({"points: 4.1": "points: @4.1000000000000001"}, "at most 12 decimals"),
    ({"points: 4.1": "points: @1e-999999999"}, "at most 12 decimals"),
    (
        {"points: 10": "points: @0", "points: 4.1": "points: 0", "points: 5.9": "points: 0"},
        "the total is zero",
    ),
    (
        {"name: second": "name: @first", "needs: [first]": ""},
        'two cases are named "first", the first on line 23',
    ),
    ({"needs: [first]": "needs: [@frist]"}, 'unknown case "frist" | "first"'),
    ({"needs: [first]": "needs: [@second]"}, 'case "second" needs itself'),
    ("needs: [@second]", 'case "first" needs the later case "second" | move that case'),
    (
        {"    hint: Look at the sizes.\n": "", "- name: second": "- @name: second"},
        'hidden case "second" has no hint | one sentence',
    ),
    (
        {"{name: first, visibility: public,": "@{name: first,"},
        'case "first" has no visibility',
    ),
    (
        {"{name: first, visibility: public, points: 4.1,": "@{name: first, visibility: public,"},
        'case "first" has no points',
    ),
    ({"dims: {batch: 2, width: 3}": "dims: @{batch: 2}"}, 'case "first" gives no size to "width"'),
    (
        {"dims: {batch: 2, width: 3}": "dims: {batch: 2, width: 3, @widht: 3}"},
        'unknown dim "widht" | "width"',
    ),
    ("previous_calls: [@{batch: 2}]", 'case "first" gives no size to "width"'),
    ("previous_calls: [{batch: 2, width: 1, @wide: 2}]", 'unknown dim "wide"'),
    (
        {
            "[batch, width + 1]": "[batch, width - 2]",
            "{batch: 4, width: 1}": "@{batch: 4, width: 1}",
        },
        'no size for "shares" in case "second": "width - 2" is -1, below zero',
    ),
    (
        {
            "[batch, width + 1]": "[batch, width / 3]",
            "{batch: 4, width: 1}": "@{batch: 4, width: 1}",
        },
        '"width / 3" is 0.333333, not a whole number',
    ),
    (
        {
            "    y: {uniform: [0, 1]}\n": "",
            "width: 3}}": "width: 3}, inputs: {y: 1}}",
            "- name: second": "- @name: second",
        },
        'case "second" does not say how input "y" is made | add it',
    ),
    (
        {
            ", default: 1e-6": "",
            "width: 3}}": "width: 3}, inputs: {eps: 1}}",
            "- name: second": "- @name: second",
        },
        'case "second" does not say how input "eps" is made',
    ),
    ("inputs: {@z: 1}", 'unknown input "z" | known here: eps, x, y'),
    ("inputs: {eps: @{normal: {}}}", '"eps" is a scalar | write a number'),
    ("inputs: {eps: @{constant: 1, set: {value: 2}}}", '"eps" is a scalar'),
    ("inputs: {eps: @1 / depth}", 'unknown dim "depth" in "1 / depth" | known here: '),
    (
        "inputs: {y: {normal: {scale: @2 / sqrt(wdth)}}}",
        'unknown dim "wdth" in "2 / sqrt(wdth)" | "width"',
    ),
    ("inputs: {y: {normal: {mean: @1 / (width - 3)}}}", 'divides by zero in case "first"'),
    ("inputs: {y: {normal: {mean: @.inf}}}", '"inf" is not finite'),
    ("inputs: {y: {uniform: @[1, 0]}}", "the range goes from 1 down to 0"),
    ("inputs: {x: {normal: {scale: {over: @widt, normal: 1}}}}", 'unknown axis "widt" | "width"'),
    ("inputs: {x: {normal: {scale: {over: width, log_uniform: [@0, 1]}}}}", "must lie above 0"),
    ("inputs: {x: {normal: {scale: {over: width, uniform: @[2, 1]}}}}", "down to"),
    ("inputs: {x: {normal: {scale: {over: width, values: @[2, 1]}}}}", "2 values for an axis of 3"),
    ("inputs: {x: {normal: {scale: {over: @[width, batch], values: [2, 1]}}}}", "one axis only"),
    ("inputs: {y: {values: @[1, 2]}}", "a list of 2 stands where a list of 3 belongs"),
    ("inputs: {x: {values: [[1, 2, 3], @[1, 2]]}}", "a list of 2 stands where a list of 3 belongs"),
    ("inputs: {x: {values: [@1, 2]}}", "a number stands where a list of 3 belongs"),
    ("inputs: {y: {values: [1, 2, @[3]]}}", "a list stands where a number belongs"),
    (
        "inputs: {x: {normal: {}, set: {at: {@depth: 0}, value: 1}}}",
        'unknown axis "depth" | known here: ',
    ),
    (
        "inputs: {x: {normal: {}, set: {at: {batch: @2}, value: 1}}}",
        'index 2 is outside axis "batch" of size 2',
    ),
    ("inputs: {x: {normal: {}, set: {at: {batch: @-3}, value: 1}}}", "index -3 is outside"),
    ("inputs: {x: {normal: {}, set: {value: @lod(2)}}}", "calls something that is not"),
    ("inputs: {x: {normal: {}, copy: {to: {batch: @9}}}}", "index 9 is outside"),
    ("inputs: {x: {normal: {}, copy: {from: {@bach: 0}}}}", 'unknown axis "bach" | "batch"'),
    ("inputs: {x: {normal: {}, copy: {of: @eps}}}", 'unknown tensor input "eps"'),
    (
        "inputs: {x: {normal: {}, copy: @{of: y}}}",
        "a slice of sizes [3] does not fit one of sizes [2, 3]",
    ),
    (
        "inputs: {x: {normal: {}, align: {along: @z, one_of: batch, amount: 1}}}",
        'unknown tensor input "z"',
    ),
    (
        "inputs: {x: {normal: {}, align: {along: y, one_of: @bach, amount: 1}}}",
        'unknown axis "bach"',
    ),
    (
        "inputs: {x: {normal: {}, align: @{along: y, one_of: width, amount: 1}}}",
        "must not be the last axis",
    ),
    (
        "inputs: {x: {normal: {}, align: @{along: x, one_of: batch, amount: 1}}}",
        "does not fit the last of [3]",
    ),
    (
        {
            "name: first, visibility: public": "name: first, visibility: hidden, hint: Look",
            "visibility: hidden\n": "visibility: public\n",
            "needs: [first]": "needs: [@first]",
        },
        'public case "second" needs the hidden case "first" | put first',
    ),
    ("layout: {@xx: strided}", 'unknown input "xx"'),
    ("layout: {@eps: strided}", 'input "eps" is a scalar, which has no layout'),
    ("layout: {x: {expanded: @rows}}", 'unknown axis "rows" | known here: '),
    ("gradients: [@z]", 'unknown input "z" | known here: x, y'),
    ("gradients: [@eps]", 'input "eps" is a scalar, which has no gradient'),
    ("dtype: int64, gradients: [@x]", 'input "x" is int64, which has no gradient'),
    ("expected: {@totl: [1, 2]}", 'unknown output "totl" | "total"'),
    (
        "expected: {total: @[1, 2, 3]}",
        'a list of 3 stands where a list of 2 belongs in output "total"',
    ),
    ("device: meta, expected: @{total: [1, 2]}", "a case on meta has no values"),
    ("device: meta, gradients: @[x]", "a case on meta has no values"),
    ({"check: type, kind": "check: @typ, kind"}, 'unknown check "typ" | "type"'),
    ({"kind: tuple": "kind: @tupel"}, 'unknown kind "tupel" of check "type" | "tuple"'),
    ({"check: type, kind: tuple": "check: time, kind: @long"}, 'check "time" has no kinds'),
    ({"kind: tuple": "output: @totl"}, 'unknown output "totl" | "total"'),
    ({"kind: tuple": "cases: [first, @secnd]"}, 'unknown case "secnd" | "second"'),
    (
        {"traps:": "stages: {@summ: {title: Add}}\ntraps:"},
        'no trap is at the stage "summ" | did you mean "sum"?',
    ),
    (
        {"traps:": "stages: {sum: {title: Add}, @other: {title: Other}}\ntraps:"},
        'no trap is at the stage "other" | known here: sum',
    ),
    (
        {"traps:": "stages: {sum: {title: Add}, @contract: {title: Contract}}\ntraps:"},
        '"contract" is no stage of the computation | leave it out',
    ),
    (
        {
            "traps:": "stages: {sum: {title: Add}}\ntraps:\n"
            "  folded: {stage: @smu, title: Folded, why: No., hint: Which?}",
        },
        'unknown stage "smu" | did you mean "sum"?',
    ),
    (
        {
            "traps:": "stages: {sum: {title: @''}}\ntraps:\n"
            "  folded: {stage: fold, title: Folded, why: No., hint: Which?}",
        },
        "title must not be empty",
    ),
    (
        {
            "traps:": "stages: {sum: {title: Add}, fold: {title: Fold}}\ntraps:\n"
            "  folded: {stage: fold, title: Folded, why: @'', hint: Which?}",
        },
        "why must not be empty",
    ),
]


@pytest.mark.parametrize(("changes", "says"), MEANING)
def test_each_mistake_is_told_once_where_it_is(
    check: Callable[[str | dict[str, str], str], None],
    changes: str | dict[str, str],
    says: str,
) -> None:
    """A single mistake gives one error, at its mark, and none that follows from it."""
    check(changes, says)
