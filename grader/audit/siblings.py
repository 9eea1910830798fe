"""What is easily taken for what: signs, functions, dtypes, axes. Data, and no code."""

from __future__ import annotations

import ast
from collections.abc import Mapping

Exchange = tuple[str, tuple[str, ...]]
"""A sign, as a regular expression, and what may stand in its place."""

BINARY: Mapping[type, Exchange] = {
    ast.Add: (r"\+", ("-", "*")),
    ast.Sub: ("-", ("+", "*")),
    ast.Mult: (r"\*", ("/", "+", "-")),
    ast.Div: ("/", ("*", "-")),
    ast.FloorDiv: ("//", ("/", "*", "%")),
    ast.Mod: ("%", ("//", "*")),
    ast.Pow: (r"\*\*", ("*", "/")),
    ast.MatMult: ("@", ("*", "+")),
    ast.BitAnd: ("&", ("|", "^")),
    ast.BitOr: (r"\|", ("&", "^")),
    ast.BitXor: (r"\^", ("&", "|")),
    ast.LShift: ("<<", (">>",)),
    ast.RShift: (">>", ("<<",)),
}
COMPARISONS: Mapping[type, Exchange] = {
    ast.Lt: ("<", ("<=", ">")),
    ast.LtE: ("<=", ("<", ">=")),
    ast.Gt: (">", (">=", "<")),
    ast.GtE: (">=", (">", "<=")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: (r"is\s+not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: (r"not\s+in", ("in",)),
}
COMMUTATIVE = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)

AXIS_WORDS = frozenset(
    {"dim", "axis", "dims", "axes", "dim0", "dim1", "axis0", "axis1", "start_dim", "end_dim"}
)
AXIS_CALLS = frozenset(
    {
        *("all", "amax", "amin", "any", "argmax", "argmin", "argsort", "cat", "chunk", "concat"),
        *("cummax", "cummin", "cumprod", "cumsum", "diff", "flatten", "flip", "gather"),
        *("index_select", "log_softmax", "logsumexp", "max", "mean", "median", "min", "moveaxis"),
        *("movedim", "narrow", "permute", "prod", "roll", "scatter", "select", "size", "softmax"),
        *("softmin", "sort", "split", "squeeze", "stack", "std", "sum", "swapaxes", "topk"),
        *("transpose", "unbind", "unflatten", "unsqueeze", "var"),
    }
)
"""Where a whole number among the arguments is an axis."""
SIBLINGS: Mapping[str, tuple[str, ...]] = {
    "abs": ("square",),
    "add": ("sub",),
    "all": ("any",),
    "amax": ("amin", "mean"),
    "amin": ("amax",),
    "any": ("all",),
    "argmax": ("argmin",),
    "argmin": ("argmax",),
    "bfloat16": ("float32", "float16"),
    "cat": ("stack",),
    "ceil": ("floor",),
    "clamp_max": ("clamp_min",),
    "clamp_min": ("clamp_max",),
    "concat": ("stack",),
    "cos": ("sin",),
    "cummax": ("cummin",),
    "cummin": ("cummax",),
    "cumprod": ("cumsum",),
    "cumsum": ("cumprod",),
    "div": ("mul",),
    "exp": ("log", "expm1"),
    "expm1": ("exp",),
    "float16": ("float32", "bfloat16"),
    "float32": ("float64", "float16", "bfloat16"),
    "float64": ("float32",),
    "floor": ("ceil", "round"),
    "log": ("exp", "log2", "log1p"),
    "log1p": ("log",),
    "log2": ("log",),
    "log_softmax": ("softmax",),
    "logsumexp": ("sum", "amax"),
    "max": ("min",),
    "maximum": ("minimum",),
    "mean": ("sum", "median", "amax"),
    "min": ("max",),
    "minimum": ("maximum",),
    "mul": ("div", "add"),
    "ones": ("zeros",),
    "ones_like": ("zeros_like",),
    "prod": ("sum",),
    "reshape": ("view",),
    "round": ("floor",),
    "rsqrt": ("sqrt", "reciprocal"),
    "sigmoid": ("tanh",),
    "sin": ("cos",),
    "softmax": ("log_softmax", "softmin", "sigmoid"),
    "softmin": ("softmax",),
    "sqrt": ("rsqrt", "square"),
    "square": ("abs", "sqrt"),
    "squeeze": ("unsqueeze",),
    "stack": ("cat",),
    "std": ("var", "mean"),
    "sub": ("add",),
    "sum": ("mean", "prod", "amax"),
    "tanh": ("sigmoid",),
    "tril": ("triu",),
    "triu": ("tril",),
    "unsqueeze": ("squeeze",),
    "var": ("std",),
    "zeros": ("ones",),
    "zeros_like": ("ones_like",),
}
SHORT_FORMS = frozenset({"T", "mT", "H", "mH", "real", "imag"})
"""Attributes that compute something, as a call without brackets."""
METADATA = frozenset({"dtype", "device", "shape", "ndim", "layout"})
"""Attributes that are no numbers to compute with."""
DTYPES = frozenset({"dtype", "float16", "bfloat16", "float32", "float64", "int32", "int64", "bool"})
DTYPE_CALLS = frozenset({"promote_types", "result_type"})
SIZE_CALLS = frozenset({"size", "len", "range", "numel", "dim", "int", "float", "enumerate"})
