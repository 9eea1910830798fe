"""Audits to render, made up."""

from __future__ import annotations

import math
from dataclasses import replace

from grader.proof import Audit, Kill, Mutant, Naming, Remark, Usage, Weight

CASES = ("by hand", "ordinary", "large", *(f"case {number}" for number in range(4, 13)))
KILLS = (
    Kill("summed (1)", dict.fromkeys(CASES, 4e8), "summed"),
    Kill("summed (2)", {**dict.fromkeys(CASES, 12.0), "by hand": 0.0}, "summed"),
    Kill("capped", {**dict.fromkeys(CASES, 0.0), "large": 70.0, "ordinary": 3.0}, "capped"),
    Kill("tuple: returns a tuple", {"by hand": math.inf, "large": 0.0}, "tuple", "contract"),
)
TRIVIAL = (Kill("size = zeros", dict.fromkeys(CASES, 1e5), kind="trivial"),)
DIFF = "@@ -2 +2 @@\n-    a < b & c\n+    a <= b & c"
MUTANTS = (
    Mutant("compare-1", 2, "compare", DIFF, None),
    Mutant("compare-2", 3, "compare", DIFF, None, "it is the same"),
    Mutant("sum-1", 4, "sum", DIFF, "large"),
)
SOUND = Audit(
    problem="scale",
    title="Scale <b>",
    problem_hash="abc",
    seeds=20,
    remarks=(),
    cases=CASES,
    kills=KILLS,
    trivial=TRIVIAL,
    mutants=MUTANTS[2:],
    largest_errors={"float32": 0.0412, "float64": 1.1e-6},
    timings={"reference": 1.25},
    versions={"grader": "0", "python": "3", "torch": "2"},
    duration_s=12.34,
    naming=Naming(3, 3, 1360, 20, 18, 2),
    usage=(Usage("one case", 0.0151, 4.0, "s"),),
)
BROKEN = replace(
    SOUND,
    remarks=(
        Remark("trap-not-rejected", Weight.FAULT, "a < b is accepted.", "add a case."),
        Remark("case-redundant", Weight.WARNING, 'case "ordinary" shows nothing.'),
        Remark("trap-unproved", Weight.NOTE, "nothing shows that."),
    ),
    mutants=MUTANTS,
)
