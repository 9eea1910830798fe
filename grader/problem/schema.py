"""The form of problem.yaml: pydantic models of the file, for validation and for its JSON Schema.

Only form is checked here: keys, types, closed sets, ranges. What needs two places of the file at
once (a dim and a shape, a case and another) is in `semantics`. `convert` turns the result into the
frozen classes of `model`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import DictSchema, NullableSchema, WithDefaultSchema

from grader.problem.fields import (
    MEMORY_FLOOR_MB,
    Expr,
    FolderName,
    FormatVersion,
    Formula,
    Identifier,
    Index,
    Line,
    Names,
    Nested,
    Number,
    OneOrMoreNames,
    Pair,
    Points,
    Positive,
    Size,
    Text,
    exactly_one,
    kind_of_input,
    mapping_or,
    number_or_fill,
    one_or_many,
)
from grader.problem.model import DtypeName
from grader.results import Visibility


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of problem.yaml, for editors that check while one types."""
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        **ProblemFile.model_json_schema(schema_generator=_Generator),
        "title": "Tensor Grader problem",
    }


class _Generator(GenerateJsonSchema):
    """Leaves out what says nothing: titles that repeat a key, and None, which means absence."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def nullable_schema(self, schema: NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def dict_schema(self, schema: DictSchema) -> JsonSchemaValue:
        form = super().dict_schema(schema)
        return form | {"additionalProperties": False} if "patternProperties" in form else form

    def default_schema(self, schema: WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default", ...) is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


Slice = dict[str, Index]


class Form(BaseModel):
    """What all parts of the file share: no unknown keys, no conversion of types, never changed."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class TensorInputFile(Form):
    """A tensor argument."""

    kind: Literal["tensor"] = Field(default="tensor", description="`tensor` unless said otherwise.")
    shape: list[Expr] = Field(
        description="A size for each axis. Names are the dims of the problem."
    )
    dtype: DtypeName | None = Field(default=None, description="Absent: the dtype of the case.")


class ScalarInputFile(Form):
    """A Python number as argument."""

    kind: Literal["scalar"]
    default: Number | None = Field(
        default=None, description="Used when a case gives no value; absent: every case must."
    )


InputFile = Annotated[
    Annotated[TensorInputFile, Tag("tensor")] | Annotated[ScalarInputFile, Tag("scalar")],
    Discriminator(kind_of_input),
]


class OutputFile(Form):
    """A tensor that the solution returns."""

    shape: list[Expr] = Field(description="A size for each axis.")
    axes: list[Line] | None = Field(
        default=None, description="A name for each axis; absent: the text of its size."
    )
    dtype: DtypeName | None = Field(default=None, description="Absent: the dtype of the case.")
    sums_to_one: str = Field(default="", description="The axis over which the values sum to one.")
    scale: Names = Field(
        default=[],
        description="The absolute tolerance grows with the RMS of these inputs together.",
    )


class ToleranceFile(Form):
    """|actual - expected| <= atol * scale + rtol * |expected|, element by element."""

    atol: Annotated[float, Field(ge=0)] = Field(description="Absolute, times the output's scale.")
    rtol: Annotated[float, Field(ge=0)] = Field(description="Relative to the expected value.")


class LimitsFile(Form):
    """What a solution may use."""

    import_s: Positive = Field(default=10.0, description="Seconds to import the file.")
    case_s: Positive = Field(default=4.0, description="Seconds for one case.")
    total_s: Positive = Field(default=60.0, description="Seconds for all cases.")
    memory_mb: Annotated[int, Field(ge=MEMORY_FLOOR_MB)] = Field(
        default=2048,
        description=f"Memory in MB of 2**20 bytes; torch alone needs {MEMORY_FLOOR_MB}.",
    )
    output_kb: Annotated[int, Field(gt=0)] = Field(
        default=64, description="Printed text in KB of 2**10 bytes."
    )


class PerAxisFile(Form):
    """A number that varies along axes, drawn once a case. Exactly one law."""

    over: OneOrMoreNames = Field(description="The axes along which it varies.")
    normal: Expr | None = Field(default=None, description="Normal with this deviation.")
    uniform: Pair | None = Field(default=None, description="Uniform between two numbers.")
    log_uniform: Pair | None = Field(
        default=None, description="Its logarithm is uniform; both numbers above 0."
    )
    values: list[Expr] | None = Field(
        default=None, description="One number for each entry of the one axis."
    )

    def model_post_init(self, context: Any, /) -> None:
        exactly_one(self, "normal", "uniform", "log_uniform", "values")


QuantityFile = Annotated[
    Annotated[Expr, Tag("number")] | Annotated[PerAxisFile, Tag("mapping")],
    Discriminator(mapping_or("number")),
]


class NormalFile(Form):
    """mean + scale * standard normal."""

    scale: QuantityFile = Field(default=1, validate_default=True, description="1 by default.")
    mean: QuantityFile = Field(default=0, validate_default=True, description="0 by default.")


class SetFile(Form):
    """Set a slice to a number."""

    at: Slice = Field(default={}, description="Axis name to index; axes not named are taken whole.")
    value: Expr = Field(description="The number.")


class CopyFile(Form):
    """Make a slice a copy of another."""

    to: Slice = Field(default={}, description="Axis name to index, in this input.")
    source: Slice = Field(
        default={}, alias="from", description="Axis name to index, in the input `of`."
    )
    of: str = Field(default="", description="The input copied from; absent: this one.")


class AlignFile(Form):
    """At each position, add a multiple of another input to one random slice: it stands out."""

    along: str = Field(description="The input that is added, as long as the last axis.")
    one_of: str = Field(description="The axis along which one index is drawn.")
    amount: Expr = Field(description="How many times it is added.")


class FillFile(Form):
    """How an input is made: exactly one distribution, then set, copy and align in this order."""

    normal: NormalFile | None = Field(default=None, description="Normally distributed.")
    uniform: Pair | None = Field(default=None, description="Uniform on [low, high).")
    constant: Expr | None = Field(default=None, description="The same number everywhere.")
    values: Nested | None = Field(default=None, description="Explicit values.")
    set_: Annotated[list[SetFile], one_or_many] = Field(
        default=[], alias="set", description="Slices to set."
    )
    copy_: Annotated[list[CopyFile], one_or_many] = Field(
        default=[], alias="copy", description="Slices to copy."
    )
    align: Annotated[list[AlignFile], one_or_many] = Field(
        default=[], description="Slices to let stand out."
    )

    def model_post_init(self, context: Any, /) -> None:
        exactly_one(self, "normal", "uniform", "constant", "values")


class ExpandedFile(Form):
    """Stride 0 along an axis, as `expand` makes it."""

    expanded: str = Field(description="The axis along which the values are constant.")


LayoutFile = Annotated[
    Annotated[Literal["contiguous", "transposed", "strided"], Tag("name")]
    | Annotated[ExpandedFile, Tag("mapping")],
    Discriminator(mapping_or("name")),
]


class SettingsFile(Form):
    """What a case says; under `defaults`, what every case says that does not say it itself."""

    visibility: Visibility | None = Field(
        default=None,
        description="Learners see a public case whole; of a hidden one its name and its hint.",
    )
    points: Points | None = Field(default=None, description="What the case is worth.")
    kind: Literal["generic", "contract", "edge"] = Field(
        default="generic", description="What the case is for."
    )
    dims: dict[str, Size] = Field(
        default={}, description="A size for each dim that the shapes use."
    )
    dtype: DtypeName = Field(default="float32", description="The dtype of inputs and outputs.")
    device: Literal["any", "meta"] = Field(
        default="any", description="`meta`: devices only, no values."
    )
    devices: Annotated[list[Literal["cpu", "cuda"]], Field(min_length=1)] = Field(
        default=["cpu", "cuda"], description="The devices on which the case is run."
    )
    inputs: dict[str, Annotated[FillFile, number_or_fill]] = Field(
        default={}, description="How each input is made."
    )
    layout: dict[str, LayoutFile] = Field(default={}, description="How tensors lie in memory.")
    gradients: Names = Field(default=[], description="The inputs whose gradients are compared.")
    needs: Names = Field(default=[], description="Earlier cases without which this one is skipped.")
    hint: str = Field(
        default="", description="What a learner is told when this case is hidden and fails."
    )
    previous_calls: list[dict[str, Size]] = Field(
        default=[],
        description="The dims of calls made just before, whose results are not compared.",
    )
    repeats: Annotated[int, Field(gt=0)] = Field(
        default=1, description="How often the call is made."
    )
    tolerance: ToleranceFile | None = Field(default=None, description="For this case.")
    expected: dict[str, Nested] = Field(default={}, description="Values of outputs, known by hand.")


class CaseFile(SettingsFile):
    """One test."""

    name: Line = Field(description="Unique in the problem.")


class WhenFile(Form):
    """A finding by which a trap is recognised: every key that is given must match."""

    check: str = Field(description="The check: type, keys, shape, dtype, device, values, ...")
    kind: str | None = Field(default=None, description="The kind of the finding.")
    output: str | None = Field(default=None, description="The output it is about.")
    cases: Names = Field(default=[], description="Only when just these cases fail.")
    alone: bool = Field(default=False, description="Only when every case that fails shows it.")


class TrapFile(Form):
    """A known mistake."""

    stage: Identifier = Field(description="The stage of the computation, or `contract`.")
    title: Line = Field(description="The mistake, in one line.")
    effect: Text | None = Field(default=None, description="What happens: what one gets to see.")
    why: Text = Field(description="Why it is wrong.")
    formula: Formula | None = Field(
        default=None, description="The wrong step in one line, its math between dollars."
    )
    hint: Text = Field(description="What a learner is told.")
    when: Annotated[list[WhenFile], one_or_many] = Field(
        default=[], description="How it shows in findings, when it is not a wrong step of a stage."
    )
    same_as: Names = Field(
        default=[], description="Traps that give the same values as this one in every case."
    )


class StageFile(Form):
    """A stage of the computation, as `explain` tells it."""

    title: Line = Field(description="What the stage does, in one line.")
    formula: Formula | None = Field(
        default=None, description="The right step in one line, its math between dollars."
    )


class ProblemFile(Form):
    """The whole file."""

    format_version: FormatVersion = Field(description="Of this file's form.")
    id: FolderName = Field(description="The name of the problem's folder.")
    title: Line = Field(description="The name of the problem.")
    level: Literal["easy", "medium", "hard"] = Field(description="How hard it is.")
    tags: Names = Field(default=[], description="Topics.")
    entry: Identifier = Field(description="The function that a learner writes.")
    reference: str = Field(
        default="",
        description="The right solution, from this folder; absent: ../../solutions/<id>.py.",
    )
    inputs: dict[Identifier, InputFile] = Field(
        description="The arguments in order.", json_schema_extra={"minProperties": 1}
    )
    returns: Literal["dict", "tensor"] = Field(
        default="dict", description="A dict of the outputs, or the one output itself."
    )
    outputs: dict[Identifier, OutputFile] = Field(
        description="What is returned.", json_schema_extra={"minProperties": 1}
    )
    tolerances: dict[DtypeName, ToleranceFile] = Field(default={}, description="By dtype.")
    limits: LimitsFile = Field(default=LimitsFile(), description="Of time, memory and print.")
    points: Points = Field(description="The sum of the points of all cases.")
    defaults: SettingsFile = Field(default=SettingsFile(), description="For every case.")
    cases: list[CaseFile] = Field(
        description="The tests, in order.", json_schema_extra={"minItems": 1}
    )
    hints: list[Text] = Field(default=[], description="From vague to specific, for `hint ID N`.")
    stages: dict[Identifier, StageFile] = Field(
        default={},
        description="The stages that traps are at, `contract` apart, in the computation's order.",
    )
    traps: dict[Identifier, TrapFile] = Field(default={}, description="Known mistakes.")
