"""What a problem is: frozen values, ready to use, every expression parsed. No torch, no files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Literal

from grader.problem.expressions import Expression
from grader.results import Visibility

DtypeName = Literal["float16", "bfloat16", "float32", "float64", "int32", "int64", "bool"]
LayoutName = Literal["contiguous", "transposed", "strided", "expanded"]


@dataclass(frozen=True, slots=True)
class TensorInput:
    """A tensor argument. `dtype` None: the case's dtype."""

    name: str
    shape: tuple[Expression, ...]
    dtype: DtypeName | None = None

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes by name: the text of each size, `layers` or `layers + 1`."""
        return tuple(size.text for size in self.shape)


@dataclass(frozen=True, slots=True)
class ScalarInput:
    """A Python number argument; `default` None: the caller must give it."""

    name: str
    default: float | int | None = None


Input = TensorInput | ScalarInput


@dataclass(frozen=True, slots=True)
class Output:
    """A tensor the solution returns.

    `axes` names the axes in order. `sums_to_one` is the axis over which the values sum to one.
    `scale_inputs`: the tolerance scales with the RMS of these inputs together; empty: with 1.
    """

    name: str
    shape: tuple[Expression, ...]
    axes: tuple[str, ...]
    dtype: DtypeName | None = None
    sums_to_one: str | None = None
    scale_inputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PerAxis:
    """A number that varies along named axes, drawn once a case.

    `law` "normal": args (std,); "uniform": (low, high); "log_uniform": (low, high), both > 0;
    "values": as many numbers as the one axis has entries.
    """

    over: tuple[str, ...]
    law: Literal["normal", "uniform", "log_uniform", "values"]
    args: tuple[Expression, ...]


Quantity = Expression | PerAxis


@dataclass(frozen=True, slots=True)
class Normal:
    """mean + scale * standard normal."""

    mean: Quantity
    scale: Quantity


@dataclass(frozen=True, slots=True)
class Uniform:
    """Uniform on [low, high)."""

    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class Constant:
    """The same number everywhere (also how a case gives a scalar)."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Values:
    """Explicit values, nested as the shape; leaves are constant expressions."""

    values: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class SetEdit:
    """Afterwards, the slice `at` (axis name -> index) is set to `value`."""

    at: Mapping[str, int]
    value: Expression


@dataclass(frozen=True, slots=True)
class CopyEdit:
    """Afterwards, the slice `to` becomes a copy of the slice `source` of input `of`."""

    to: Mapping[str, int]
    source: Mapping[str, int]
    of: str


@dataclass(frozen=True, slots=True)
class AlignEdit:
    """Afterwards, at each position of the other axes one random index along `one_of` gets
    `amount` times the input `along` (scaled to RMS 1, over the last axis) added to it."""

    along: str
    one_of: str
    amount: Expression


Edit = SetEdit | CopyEdit | AlignEdit
Distribution = Normal | Uniform | Constant | Values


@dataclass(frozen=True, slots=True)
class Fill:
    """How one input of a case is made: a distribution, then edits in order."""

    distribution: Distribution
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """How an input lies in memory. `axis` is the expanded axis (values constant along it)."""

    kind: LayoutName
    axis: str | None = None


@dataclass(frozen=True, slots=True)
class Tolerance:
    """|actual - expected| <= atol * scale + rtol * |expected|, element by element."""

    atol: float
    rtol: float


DEFAULT_TOLERANCES: Mapping[str, Tolerance] = {
    "float64": Tolerance(1e-9, 1e-9),
    "float32": Tolerance(1e-5, 1e-5),
    "float16": Tolerance(1e-2, 1e-2),
    "bfloat16": Tolerance(6e-2, 3e-2),
}
"""By dtype, where a problem says nothing: well above the rounding of a right solution's few hundred
operations on values of RMS 1, and far below any mistake. Whole numbers are compared exactly."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a solution may use: seconds of wall clock, MB of 2**20 bytes, KB of 2**10 bytes."""

    import_s: float = 10.0
    case_s: float = 4.0
    total_s: float = 60.0
    memory_mb: int = 2048
    output_kb: int = 64


@dataclass(frozen=True, slots=True)
class Case:
    """One hidden or public test.

    dims: a size for each dim name. fills: one for each tensor input, and for the scalars given;
    a scalar that is absent is left to its default. device "meta": run for devices only, no values.
    gradients: inputs whose gradient is compared. previous_calls: dims of calls made just before,
    with the same fills. repeats: how often the call is made on the same inputs, each compared.
    needs: cases that must be accepted first. expected: values an author states (worked examples).
    seedless: the case is the same for every seed (explicit values only).
    """

    name: str
    visibility: Visibility
    points: Decimal
    dims: Mapping[str, int]
    dtype: DtypeName
    fills: Mapping[str, Fill]
    device: Literal["any", "meta"] = "any"
    devices: tuple[Literal["cpu", "cuda"], ...] = ("cpu", "cuda")
    layouts: Mapping[str, Layout] = field(default_factory=dict)
    gradients: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    hint: str = ""
    previous_calls: tuple[Mapping[str, int], ...] = ()
    repeats: int = 1
    tolerance: Tolerance | None = None
    expected: Mapping[str, Values] = field(default_factory=dict)
    kind: Literal["generic", "contract", "edge"] = "generic"


@dataclass(frozen=True, slots=True)
class Recognition:
    """When a finding is this trap: every field that is given must match.

    `cases`: the trap is named only when just these cases fail, or some of them. `alone`: only when
    every case that fails shows the finding; for a finding that is also a side effect of others.
    """

    check: str
    kind: str | None = None
    output: str | None = None
    cases: tuple[str, ...] = ()
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Trap:
    """A known mistake: its texts, its stage, and for contract traps how findings show it."""

    id: str
    stage: str
    title: str
    why: str
    hint: str
    recognised_by: tuple[Recognition, ...] = ()
    effect: str = ""
    """What its author gets to see."""
    formula: str = ""
    """The wrong step in a line, its math between dollars."""
    same_as: tuple[str, ...] = ()
    """Traps that no case can tell from it."""


@dataclass(frozen=True, slots=True)
class StageText:
    """What a stage of the computation does, and its right step in a line with `$math$`."""

    title: str
    formula: str = ""


CONTRACT = "contract"
"""The stage of mistakes that are no step of the computation: the checks see them."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem, whole. `folder` holds statement.md, starter.py; `hash` is of all its files.

    `stages`: texts of the stages that traps are at, in the order of the computation; or none.
    """

    id: str
    title: str
    level: Literal["easy", "medium", "hard"]
    tags: tuple[str, ...]
    entry: str
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    returns: Literal["tensor", "dict"]
    tolerances: Mapping[str, Tolerance]
    limits: Limits
    points: Decimal
    cases: tuple[Case, ...]
    hints: tuple[str, ...]
    traps: Mapping[str, Trap]
    folder: Path
    reference: Path
    hash: str
    stages: Mapping[str, StageText] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """The entry as a learner writes it: `f(a, b, eps=1e-06)`."""
        parts = [
            f"{i.name}={i.default!r}"
            if isinstance(i, ScalarInput) and i.default is not None
            else i.name
            for i in self.inputs
        ]
        return f"{self.entry}({', '.join(parts)})"

    @property
    def statement(self) -> Path:
        return self.folder / "statement.md"

    @property
    def starter(self) -> Path:
        return self.folder / "starter.py"
