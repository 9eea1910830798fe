# ruff: noqa: RUF001 - the minus sign, the asterisk operator and their like are the subject here
r"""LaTeX math as one readable line of Unicode: `\frac{1}{D}\sum_d v_d^2` -> `(1/D) ∑_d v_d²`.

For statements on a terminal. pylatexenc parses and knows the symbols; here is how scripts,
fractions and roots are laid out. It does not draw in two dimensions, and what it does not know it
shows by name rather than fail.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pylatexenc import latexwalker  # type: ignore[import-untyped] # it ships no types
from pylatexenc.latex2text import get_default_latex_context_db  # type: ignore[import-untyped]

from grader.report.tex_symbols import (
    ACCENTS,
    ALPHABETS,
    BARS,
    CLOSE,
    DROPPED,
    LARGE,
    NAMES,
    OPEN,
    OPERATORS,
    SCRIPTS,
    SPACES,
    SUPERSCRIPT,
    SYMBOLS,
    UPRIGHT,
    Kind,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A rendered part and what it is, which decides the blanks beside it."""

    text: str
    kind: Kind


_SIZED_FRACTION = re.compile(
    r"\\[tdc]frac(?![A-Za-z])"
)  # pylatexenc knows the arguments of \frac alone
_NEGATED = re.compile(r"\\not\s*=")

# A node of pylatexenc, which is not typed, or a single character of one.
Unit = Any


def to_unicode(tex: str) -> str:
    """One line of text, or one a row where the formula has rows; never an error."""
    plain = _NEGATED.sub(r"\\neq ", _SIZED_FRACTION.sub(r"\\frac", tex))
    try:
        nodes, _, _ = latexwalker.LatexWalker(plain, tolerant_parsing=True).get_latex_nodes()
        return _layout(nodes)
    except (latexwalker.LatexWalkerError, RecursionError):
        return " ".join(tex.split())


def _layout(nodes: Iterable[Unit]) -> str:
    return _join([piece for piece in _pieces(_units(nodes)) if piece.text])


def _units(nodes: Iterable[Unit]) -> Iterator[Unit]:
    """The nodes, text split into characters, runs of blanks as one blank."""
    for node in nodes:
        if node is None or node.isNodeType(latexwalker.LatexCommentNode):
            continue
        if node.isNodeType(latexwalker.LatexCharsNode):
            yield from node.chars
        else:
            yield node
            yield from getattr(node, "macro_post_space", "")


def _pieces(units: Iterator[Unit]) -> list[Piece]:
    pieces: list[Piece] = []
    for unit in units:
        if isinstance(unit, str) and unit in "_^":
            _attach(pieces, unit, _script(units))
        else:
            pieces.extend(_piece(unit))
    return pieces


def _script(units: Iterator[Unit]) -> str:
    """The unit after `_` or `^`, set tight."""
    unit = next((u for u in units if not (isinstance(u, str) and u.isspace())), "")
    return _join(list(_piece(unit))).replace(" ", "") if unit else ""


def _attach(pieces: list[Piece], mark: str, script: str) -> None:
    """Put a script on the last piece, as small letters when they all exist."""
    while pieces and pieces[-1].kind == "space":
        pieces.pop()
    base = pieces.pop() if pieces else Piece("", "atom")
    if base.kind == "fraction":
        base = Piece(f"({base.text})", "atom")
    pieces.append(Piece(_with_script(base.text, mark, script), base.kind))


def _with_script(base: str, mark: str, script: str) -> str:
    table = SCRIPTS[mark]
    if mark == "^" and base[:1] in LARGE and base.endswith(")"):
        return f"{base[:-1]}…{script})"
    if all(ord(character) in table for character in script):
        return base + script.translate(table)
    plain = len(script) == 1 or (mark == "_" and script.isascii() and script.isalnum())
    return f"{base}{mark}{script}" if plain else f"{base}{mark}({script})"


def _piece(unit: Unit) -> Iterator[Piece]:
    if isinstance(unit, str):
        yield _character(unit)
    elif unit.isNodeType(latexwalker.LatexGroupNode):
        yield Piece(_layout(unit.nodelist), "atom")
    elif unit.isNodeType(latexwalker.LatexMacroNode):
        yield from _macro(unit)
    elif unit.isNodeType(latexwalker.LatexEnvironmentNode):
        yield Piece(_rows(unit), "atom")
    elif unit.isNodeType(latexwalker.LatexSpecialsNode):
        yield Piece(" ", "space")


def _character(character: str) -> Piece:
    character = {"-": "−", "*": "∗", "~": " "}.get(character, character)
    if character.isspace():
        return Piece(" ", "space")
    if character in OPERATORS:
        return Piece(character, "operator")
    if character in OPEN:
        return Piece(character, "open")
    if character in CLOSE:
        return Piece(character, "close")
    return Piece(character, "comma" if character in ",;" else "atom")


def _macro(node: Unit) -> Iterator[Piece]:
    name: str = node.macroname
    arguments = [a for a in getattr(node.nodeargd, "argnlist", None) or () if a is not None]
    if name in DROPPED or (name in UPRIGHT and not arguments):
        return
    if name in SPACES:
        yield Piece(" ", "space")
    elif name in UPRIGHT:
        yield Piece(_words(arguments[-1]), "name")
    elif name in NAMES:
        yield Piece(name, "name")
    elif name in _BUILT and arguments:
        yield _BUILT[name]([_layout([argument]) for argument in arguments])
    elif name in ALPHABETS and arguments:
        yield Piece("".join(_letter(ALPHABETS[name], c) for c in _words(arguments[-1])), "atom")
    elif name in ACCENTS and arguments:
        yield Piece("".join(c + ACCENTS[name] for c in _words(arguments[-1])), "atom")
    elif name in BARS:
        yield Piece(*BARS[name])
    else:
        yield from _other(name, arguments)


def _other(name: str, arguments: list[Unit]) -> Iterator[Piece]:
    """A symbol by its character; what is not known by its arguments, or else by its name."""
    symbol = SYMBOLS.get(name) or _symbol(name)
    if arguments and not symbol:
        yield Piece(_layout(arguments), "atom")
    elif symbol == "∂":
        yield Piece(symbol, "open")
    else:
        yield from (_character(c) for c in symbol or name)


def _words(node: Unit) -> str:
    r"""The argument of `\text`: blanks are kept."""
    if node.isNodeType(latexwalker.LatexGroupNode):
        return "".join(_words(inner) for inner in node.nodelist)
    if node.isNodeType(latexwalker.LatexCharsNode):
        return str(node.chars)
    return _layout([node])


def _fraction(arguments: list[str]) -> Piece:
    top, bottom = (_grouped(part) for part in arguments[-2:])
    slash = "/" if len(top) + len(bottom) <= 8 else " / "
    return Piece(top + slash + bottom, "fraction")


def _root(arguments: list[str]) -> Piece:
    degree = arguments[0].strip("[]").translate(SUPERSCRIPT) if len(arguments) == 2 else ""
    radicand = arguments[-1]
    return Piece(f"{degree}√{radicand}" if len(radicand) == 1 else f"{degree}√({radicand})", "atom")


_BUILT: Mapping[str, Callable[[list[str]], Piece]] = {
    "frac": _fraction, "tfrac": _fraction, "dfrac": _fraction, "sqrt": _root
}  # fmt: skip


def _grouped(text: str) -> str:
    """In parentheses unless it reads as one thing."""
    depth = 0
    for character in text:
        depth += (character in OPEN) - (character in CLOSE)
        if depth == 0 and (character in OPERATORS or character in " /,"):
            return f"({text})"
    return text


def _letter(alphabet: str, character: str) -> str:
    for prefix in (f"{alphabet} CAPITAL", f"MATHEMATICAL {alphabet} CAPITAL"):
        try:
            return unicodedata.lookup(f"{prefix} {character}")
        except KeyError:
            continue
    return character


def _symbol(name: str) -> str:
    replacement = getattr(_symbols().get_macro_spec(name), "simplify_repl", None)
    return replacement if isinstance(replacement, str) and "%" not in replacement[:-1] else ""


@cache
def _symbols() -> Any:
    return get_default_latex_context_db()


def _rows(environment: Unit) -> str:
    """Cases, matrices, aligned formulas: a row a line, the cells of a table apart."""
    aligned = environment.environmentname.startswith(("align", "split", "gather"))
    rows: list[list[list[Unit]]] = [[[]]]
    for node in environment.nodelist:
        if getattr(node, "macroname", "") == "\\":
            rows.append([[]])
        elif getattr(node, "specials_chars", "") == "&" and not aligned:
            rows[-1].append([])
        else:
            rows[-1][-1].append(node)
    lines = ["   ".join(_layout(cell) for cell in row).rstrip() for row in rows]
    opening = "{ " if environment.environmentname == "cases" else ""
    return "\n".join(opening + line for line in lines if line)


def _join(pieces: list[Piece]) -> str:
    """The pieces with blanks where a printed formula has them."""
    text, previous = "", Piece("", "open")
    gap = False
    for position, piece in enumerate(pieces):
        if piece.kind == "space":
            gap = True
            continue
        following = next((p for p in pieces[position + 1 :] if p.kind != "space"), None)
        piece = _wrapped(piece, previous, following)
        text += " " * _blank(previous, piece, gap=gap) + piece.text
        previous, gap = _signed(piece, previous), False
    return text


def _wrapped(piece: Piece, previous: Piece, following: Piece | None) -> Piece:
    """A fraction beside a factor needs parentheses: (1/D) ∑, not 1/D ∑."""
    factors = ("atom", "name", "open", "fraction")
    after = following is not None and following.kind in factors
    before = previous.kind in ("atom", "close", "fraction")
    if piece.kind == "fraction" and (after or before):
        return Piece(f"({piece.text})", "atom")
    return piece


def _signed(piece: Piece, previous: Piece) -> Piece:
    """A minus at the start of a term is a sign: no blank after it."""
    if piece.text in ("−", "+") and previous.kind in ("open", "operator", "comma"):
        return Piece(piece.text, "open")
    return piece


def _blank(previous: Piece, piece: Piece, *, gap: bool) -> bool:
    if not previous.text or previous.kind == "open" or piece.kind in ("close", "comma"):
        return False
    if "operator" in (previous.kind, piece.kind) or previous.kind == "comma":
        return True
    if previous.text[0] in LARGE:
        return True
    if previous.kind == "name":
        return piece.kind != "open"
    if piece.kind == "name" or piece.text[0] in LARGE:
        return True
    return gap and piece.kind != "open"
