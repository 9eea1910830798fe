# ruff: noqa: RUF001 - signs that look like ASCII are the subject here
"""What the characters and macros of a formula are, and how they look: the tables of `tex`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Kind = Literal["atom", "operator", "open", "close", "comma", "name", "fraction", "space"]
"""What a part of a formula is, which decides the blanks beside it."""

OPERATORS = frozenset("=<>+−±∓×·∗÷≤≥≠≈≡∼∝∈∉⊂⊆∪∩→←↦⇒⇔⊙⊗⊕≪≫:")
OPEN, CLOSE = frozenset("([{⟨⌈⌊"), frozenset(")]}⟩⌉⌋")
LARGE = frozenset("∑∏∫⋃⋂")

# fmt: off
NAMES = frozenset({
    "log", "ln", "exp", "sin", "cos", "tan", "tanh", "sinh", "cosh", "min", "max", "sup", "inf",
    "arg", "det", "dim", "lim",
})
SPACES = frozenset({",", ";", ":", " ", "quad", "qquad", "enspace", "thinspace"})
DROPPED = frozenset({
    "left", "right", "!", "displaystyle", "textstyle", "limits", "nolimits",
    "big", "bigl", "bigr", "bigm", "Big", "Bigl", "Bigr", "Bigm",
    "bigg", "biggl", "biggr", "biggm", "Bigg", "Biggl", "Biggr", "Biggm",
})
UPRIGHT = frozenset({
    "text", "mathrm", "textrm", "operatorname", "mathit", "textit", "mathsf", "mathtt", "texttt",
    "mathbf", "textbf", "boldsymbol", "bm", "pmb", "mathnormal", "mbox", "emph", "boxed",
})
ALPHABETS = {"mathbb": "DOUBLE-STRUCK", "mathcal": "SCRIPT", "mathscr": "SCRIPT"}
ACCENTS = {
    "hat": "\u0302", "widehat": "\u0302", "bar": "\u0304", "overline": "\u0304",
    "tilde": "\u0303", "widetilde": "\u0303", "dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7",
}
BARS: Mapping[str, tuple[str, Kind]] = {
    "lVert": ("‖", "open"), "rVert": ("‖", "close"),
    "lvert": ("|", "open"), "rvert": ("|", "close"),
}
SYMBOLS = {
    "cdot": "·", "top": "⊤", "intercal": "⊤", "ne": "≠", "|": "‖", "mid": "|", "to": "→",
    "epsilon": "ε", "varepsilon": "ε", "ast": "∗", "colon": ":",
    "dots": "…", "ldots": "…", "cdots": "⋯",
}
# fmt: on

SUPERSCRIPT = str.maketrans(
    "0123456789+−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδθφχ⊤",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᶿᵠᵡᵀ",
)
SUBSCRIPT = str.maketrans(
    "0123456789+−=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ"
)
SCRIPTS: Mapping[str, Mapping[int, int]] = {"^": SUPERSCRIPT, "_": SUBSCRIPT}
