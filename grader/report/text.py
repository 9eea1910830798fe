"""Text from a solution made safe to show: no control codes, no tricks of direction, a stated cut.

Everything a learner's process can influence (printed text, exception messages, names, paths) goes
through `clean` before it is shown. What is specific to a format (markup, HTML, XML) is up to the
writer of that format.
"""

from __future__ import annotations

import re
import shlex
from decimal import Decimal

MESSAGE_LIMIT = 2_000
OUTPUT_LIMIT = 20_000
NAME_LIMIT = 300

_ANSI = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor moves
    r"|\x1b[\]PX^_][^\x07\x1b\x9c\n]{0,500}(?:\x07|\x1b\\|\x9c)"  # titles, links, clipboard
    r"|\x1b[@-_]?"
)
_LINE_BREAK = re.compile("\r\n?|\x85|\u2028|\u2029")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# Marks that reorder or hide what is shown: text could then read otherwise than it is.
_DIRECTION = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """`text` without control and direction codes, at most `limit` characters, a cut stated."""
    head = text[:limit]
    rest = len(text) - len(head)
    head = _ANSI.sub("", head)
    head = _LINE_BREAK.sub("\n", head)
    head = _CONTROL.sub("", head)
    head = _DIRECTION.sub("", head)
    head = _SURROGATE.sub("\ufffd", head)
    return f"{head}… (cut, {rest:,} more characters)" if rest else head


def one_line(text: str, limit: int = NAME_LIMIT) -> str:
    """As `clean`, with every run of blanks and line breaks made one space."""
    return " ".join(clean(text, limit).split())


def first_lines(text: str, count: int) -> tuple[list[str], int]:
    """The first `count` lines and how many were left out; blank lines at the end do not count."""
    lines = text.rstrip().expandtabs(4).split("\n") if text.strip() else []
    return lines[:count], max(len(lines) - count, 0)


def points(number: Decimal) -> str:
    """An exact decimal without an exponent or trailing zeros: `61.5`, `100`."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def plural(count: int, noun: str) -> str:
    """`1 case`, `2 cases`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def quoted(word: str) -> str:
    """One shell word: bare when it can be, in double quotes when that is enough."""
    if re.fullmatch(r"[\w@%+=:,./-]+", word, re.ASCII):
        return word
    return shlex.quote(word) if re.search(r'["$`\\!]', word) or not word else f'"{word}"'
