"""The values of problem.yaml, below the level of mappings: texts, names, numbers, expressions.

Each is a pydantic type with its JSON Schema. A mistake is raised as a short predicate ("is not a
Python identifier"); `messages` says of what.
"""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from grader.problem.expressions import Expression, ExpressionError, parse

FORMAT_VERSION = 1
MEMORY_FLOOR_MB = 512
"""What a process needs that has imported torch and holds a few small tensors."""
MAX_LINE = 200
_MATH = r"\$[^\s$]([^$\n]*[^\s$])?\$"


def _identifier(text: str) -> str:
    if keyword.iskeyword(text):
        raise PydanticCustomError("identifier", "is a Python keyword")
    if not (text.isascii() and text.isidentifier()):
        raise PydanticCustomError("identifier", "is not a Python identifier")
    return text


def _formula(text: str) -> str:
    if not re.search(_MATH, text):
        raise PydanticCustomError("formula", "has no math between dollars, as in $x_i$")
    return text


def no_repeats(names: list[str]) -> list[str]:
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            raise PydanticCustomError("repeated", "is listed twice", {"name": name, "at": (index,)})
        seen.add(name)
    return names


def _nested(source: object, at: tuple[int, ...] = ()) -> object:
    """Return nested tuples of expressions; a mistake carries the indices of its leaf."""
    if isinstance(source, list):
        return tuple(_nested(item, (*at, index)) for index, item in enumerate(source))
    try:
        expression = parse(source)
    except ExpressionError as error:
        raise PydanticCustomError(
            "expression", "{reason}", {"reason": str(error), "at": at}
        ) from None
    if expression.names:
        reason = f'"{expression.text}" is not a constant, as an explicit value must be'
        raise PydanticCustomError("expression", "{reason}", {"reason": reason, "at": at})
    return expression


def _number(source: object) -> int | float:
    if isinstance(source, bool) or not isinstance(source, int | float) or not math.isfinite(source):
        raise PydanticCustomError("number", "must be a finite number")
    return source


def kind_of_input(source: object) -> str:
    kind = source.get("kind", "tensor") if isinstance(source, dict) else "tensor"
    return kind if isinstance(kind, str) else "tensor"


def mapping_or(other: str) -> Callable[[object], str]:
    return lambda source: "mapping" if isinstance(source, dict | BaseModel) else other


@dataclass(frozen=True, slots=True)
class OrShort:
    """Also accept a shorter form, which `expand` turns into the full one."""

    expand: Callable[[object], object]
    short: tuple[dict[str, Any], ...] = ()

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.expand, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        full = handler(schema)
        return {"anyOf": [*(self.short or (full["items"],)), full]}


def exactly_one(part: BaseModel, *names: str) -> None:
    given = [name for name in names if getattr(part, name) is not None]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        reason = f"needs exactly one of {', '.join(names)}, and has {found}"
        raise PydanticCustomError("exactly_one", "{reason}", {"reason": reason})


def _known_format(version: object) -> int:
    if version is True or version != FORMAT_VERSION:
        raise PydanticCustomError("format", "is not known")
    return FORMAT_VERSION


one_or_many = OrShort(lambda source: source if isinstance(source, list) else [source])
number_or_fill = OrShort(
    lambda source: source if isinstance(source, dict) else {"constant": source},
    ({"type": "number"}, {"type": "string"}),
)

Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
Line = Annotated[str, StringConstraints(min_length=1, max_length=MAX_LINE, pattern=r"^\S(.*\S)?$")]
Formula = Annotated[
    Line,
    AfterValidator(_formula),
    WithJsonSchema(
        {"type": "string", "maxLength": MAX_LINE, "pattern": rf"^(\S.*)?{_MATH}(.*\S)?$"}
    ),
]
Identifier = Annotated[
    str,
    AfterValidator(_identifier),
    WithJsonSchema({"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}),
]
Names = Annotated[
    list[str], AfterValidator(no_repeats), Field(json_schema_extra={"uniqueItems": True})
]
OneOrMoreNames = Annotated[list[str], AfterValidator(no_repeats), Field(min_length=1), one_or_many]
Expr = Annotated[
    Expression,
    PlainValidator(parse),
    WithJsonSchema(
        {
            "type": ["number", "string"],
            "description": "A number, or arithmetic on dims: `layers + 1`, `2 / sqrt(width)`.",
        }
    ),
]
Number = Annotated[int | float, PlainValidator(_number), WithJsonSchema({"type": "number"})]
Pair = Annotated[list[Expr], Field(min_length=2, max_length=2)]
Nested = Annotated[
    Any,
    PlainValidator(_nested),
    WithJsonSchema(
        {"type": ["array", "number", "string"], "description": "Numbers nested as the shape."}
    ),
]
Points = Annotated[float, Field(ge=0, lt=1_000_000)]
Positive = Annotated[float, Field(gt=0)]
Size = Annotated[int, Field(ge=0, lt=2**31)]
Index = int
FolderName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
FormatVersion = Annotated[
    int, BeforeValidator(_known_format), WithJsonSchema({"const": FORMAT_VERSION})
]
